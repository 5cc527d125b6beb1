'use strict';
(() => {
const $ = (id) => document.getElementById(id);
const D = JSON.parse($('data').textContent);
const [NAME, STAGE, CPU, WAVE, GUEST, WORDS, STATUS, CODE, KEY, TIME, DETAIL, TEXT] = Array(12).keys();
const STATES = ['ok', 'refused', 'failed'];
const ROW = 30;
const R = D.rows;
const timed = R.some((r) => r[TIME] >= 0);
const number = new Intl.NumberFormat('en');
const fmt = (n) => number.format(n);
const ms = (us) => us < 0 ? '' : us < 10000 ? (us / 1000).toFixed(2) + ' ms' : us < 1e6 ? Math.round(us / 1000) + ' ms' : (us / 1e6).toFixed(2) + ' s';
const ratio = (r) => r[GUEST] && r[WORDS] ? r[WORDS] / r[GUEST] : 0;

/* All text goes through here: never through a parser. */
function el(tag, props, ...children) {
	const e = document.createElement(tag);
	for (const [k, v] of Object.entries(props || {})) {
		if (k === 'on') for (const [name, f] of Object.entries(v)) e.addEventListener(name, f);
		else if (k === 'class') e.className = v;
		else e.setAttribute(k, v);
	}
	e.append(...children.filter((c) => c !== null && c !== undefined));
	return e;
}

/* ---- overview */
function sum(f) { let s = 0; for (const r of R) s += f(r); return s; }
function card(kind, value, label, small, act) {
	return el(act ? 'button' : 'div', { class: 'card ' + kind, on: act ? { click: act } : {} }, el('b', null, value), el('span', null, label),
		small ? el('small', null, ' \u00b7 ' + small) : null);
}
function percent(n) { return R.length ? (100 * n / R.length).toFixed(n === R.length || !n ? 0 : 1) + ' %' : ''; }

function cards() {
	const n = [0, 1, 2].map((s) => sum((r) => r[STATUS] === s));
	const guest = sum((r) => r[STATUS] ? 0 : r[GUEST]), words = sum((r) => r[WORDS]), time = sum((r) => Math.max(r[TIME], 0));
	const only = (s) => () => { filter({ status: String(s) }); $('search').scrollIntoView({ block: 'center' }); };
	$('cards').append(
		card('', fmt(R.length), 'programs', null, () => filter({})),
		card('good', fmt(n[0]), 'translated', percent(n[0]), only(0)),
		card(n[1] ? 'bad' : '', fmt(n[1]), 'refused', percent(n[1]), only(1)),
		card(n[2] ? 'warn' : '', fmt(n[2]), 'failed', percent(n[2]), only(2)),
		card('', fmt(guest), 'guest words', 'of translated ones'),
		card('', fmt(words), 'module words', guest ? (words / guest).toFixed(2) + ' a guest word' : ''));
	if (timed) $('cards').append(card('', ms(time), 'to translate and validate', ms(Math.round(time / R.length)) + ' each'));
}

function panel(id, title, rows, empty) {
	const most = Math.max(1, ...rows.map((r) => r.value));
	$(id).append(el('h2', null, title));
	if (!rows.length) $(id).append(el('p', { class: 'empty' }, empty));
	for (const r of rows) {
		const bar = el('i');
		bar.style.width = (100 * r.value / most).toFixed(1) + '%';
		$(id).append(el('button', { class: 'item', title: r.title || r.name, on: { click: r.act } }, bar, el('span', null, r.name), el('em', null, r.text)));
	}
}

function best(f, n) {
	return R.map((r, i) => i).filter((i) => f(R[i]) > 0).sort((a, b) => f(R[b]) - f(R[a]) || a - b).slice(0, n);
}

function lists() {
	const open = (i) => () => { location.hash = '#p=' + i; };
	const reasons = D.codes.map((c, k) => ({ k, name: c, value: sum((r) => r[CODE] === k) })).filter((x) => x.value).sort((a, b) => b.value - a.value);
	panel('reasons', 'Refused, by reason', reasons.map((x) => ({ name: x.name, value: x.value, text: fmt(x.value),
		act: () => { filter({ code: String(x.k) }); $('search').scrollIntoView({ block: 'center' }); } })), 'Nothing was refused.');
	if (timed) panel('slowest', 'Slowest', best((r) => r[TIME], 8).map((i) => ({ name: R[i][NAME], value: R[i][TIME], text: ms(R[i][TIME]), act: open(i) })), '');
	else $('slowest').hidden = true;
	panel('largest', 'Largest modules', best((r) => r[WORDS], 8).map((i) => ({ name: R[i][NAME], value: R[i][WORDS], text: fmt(R[i][WORDS]) + ' words', act: open(i) })), 'No modules.');
	const groups = new Map();
	for (const r of R) {
		const k = r[CPU] * 64 + r[STAGE], g = groups.get(k) || { cpu: r[CPU], stage: r[STAGE], n: 0, ok: 0 };
		g.n++;
		g.ok += !r[STATUS];
		groups.set(k, g);
	}
	panel('groups', 'Guests and stages', [...groups.values()].sort((a, b) => b.n - a.n).slice(0, 12).map((g) => ({ name: D.cpus[g.cpu] + ' ' + D.stages[g.stage], value: g.n,
		text: fmt(g.n) + (g.ok < g.n ? ', ' + fmt(g.n - g.ok) + ' not' : ''), act: () => filter({ cpu: String(g.cpu), stage: String(g.stage) }) })), 'None.');
}

/* ---- table: only the rows in sight are in the document */
const COLUMNS = [
	['Program', NAME, '', (r) => r[NAME]], ['Stage', STAGE, 'mid', (r) => D.stages[r[STAGE]]], ['Guest', CPU, 'mid', (r) => D.cpus[r[CPU]]],
	['Wave', WAVE, 'num opt', (r) => r[WAVE]], ['Guest words', GUEST, 'num opt', (r) => r[GUEST]], ['Words', WORDS, 'num', (r) => r[WORDS]],
	['Ratio', 20, 'num opt', ratio], ['Time', TIME, 'num opt', (r) => r[TIME]], ['Status', STATUS, '', (r) => r[STATUS] * 1000 + r[CODE]]];
let view = [], order = { column: 0, down: false }, selected = 0, want = { text: '', status: '', stage: '', cpu: '', code: '' };

function options(id, all, names) {
	$(id).append(el('option', { value: '' }, all), ...names.map((n, i) => el('option', { value: String(i) }, n)));
	$(id).addEventListener('change', () => { want[id.slice(2)] = $(id).value; update(); });
}

function filter(w) {
	want = Object.assign({ text: '', status: '', stage: '', cpu: '', code: '' }, w);
	$('search').value = want.text;
	for (const f of ['status', 'stage', 'cpu', 'code']) $('f_' + f).value = want[f];
	update();
}

function update() {
	const words = want.text.toLowerCase().split(/\s+/).filter(Boolean), f = COLUMNS[order.column][3], sign = order.down ? -1 : 1;
	view = [];
	for (let i = 0; i < R.length; i++) {
		const r = R[i];
		if ((want.status !== '' && r[STATUS] !== +want.status) || (want.stage !== '' && r[STAGE] !== +want.stage) ||
			(want.cpu !== '' && r[CPU] !== +want.cpu) || (want.code !== '' && r[CODE] !== +want.code)) continue;
		if (words.length) {
			const s = (r[NAME] + ' ' + r[KEY] + ' ' + (r[CODE] < 0 ? '' : D.codes[r[CODE]]) + ' ' + r[TEXT] + ' ' + D.cpus[r[CPU]]).toLowerCase();
			if (!words.every((w) => s.includes(w))) continue;
		}
		view.push(i);
	}
	view.sort((a, b) => { const x = f(R[a]), y = f(R[b]); return x < y ? -sign : x > y ? sign : a - b; });
	selected = 0;
	$('count').textContent = view.length === R.length ? fmt(R.length) + ' programs' : fmt(view.length) + ' of ' + fmt(R.length);
	$('space').style.height = Math.max(view.length, 1) * ROW + 'px';
	$('rows').scrollTop = 0;
	head();
	draw();
}

function head() {
	$('thead').replaceChildren(...COLUMNS.map(([title, , kind], i) => el('button', Object.assign({ class: kind,
		on: { click: () => { order = { column: i, down: order.column === i ? !order.down : kind.startsWith('num') }; update(); } } },
		order.column === i ? { 'aria-sort': order.down ? 'descending' : 'ascending' } : {}), title + (order.column === i ? (order.down ? ' \u2193' : ' \u2191') : ''))));
}

function line(at) {
	const r = R[view[at]], e = el('div', { class: 'row' + (at === selected ? ' sel' : ''), role: 'option', 'aria-selected': String(at === selected), id: 'r' + at },
		el('span', { title: r[NAME] }, r[NAME]), el('span', { class: 'mid dim' }, D.stages[r[STAGE]]), el('span', { class: 'mid dim' }, D.cpus[r[CPU]]),
		el('span', { class: 'num opt dim' }, String(r[WAVE])), el('span', { class: 'num opt' }, fmt(r[GUEST])), el('span', { class: 'num' }, r[WORDS] ? fmt(r[WORDS]) : ''),
		el('span', { class: 'num opt dim' }, ratio(r) ? ratio(r).toFixed(2) : ''), el('span', { class: 'num opt dim' }, ms(r[TIME])),
		el('span', { title: r[TEXT] || STATES[r[STATUS]] }, el('span', { class: STATES[r[STATUS]] }, r[CODE] < 0 ? STATES[r[STATUS]] : D.codes[r[CODE]]), r[TEXT] ? el('span', { class: 'dim' }, '  ' + r[TEXT]) : null));
	e.addEventListener('click', () => { selected = at; location.hash = '#p=' + view[at]; });
	return e;
}

function draw() {
	const box = $('rows'), first = Math.max(0, Math.floor(box.scrollTop / ROW) - 6), n = Math.ceil(box.clientHeight / ROW) + 12, out = [];
	for (let i = first; i < Math.min(view.length, first + n); i++) out.push(line(i));
	$('window').style.top = first * ROW + 'px';
	$('window').replaceChildren(...(view.length ? out : [el('p', { class: 'note' }, 'No program is like that.')]));
	if (view.length) box.setAttribute('aria-activedescendant', 'r' + selected);
}

function choose(at) {
	const box = $('rows');
	if (!view.length) return;
	selected = Math.max(0, Math.min(view.length - 1, at));
	if (selected * ROW < box.scrollTop) box.scrollTop = selected * ROW;
	if ((selected + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (selected + 1) * ROW - box.clientHeight;
	draw();
}

/* ---- a program */
const chunks = new Map();
async function page(d) {
	const k = Math.floor(d / D.chunk);
	if (!chunks.has(k)) {
		const raw = Uint8Array.from(atob($('c' + k).textContent.trim()), (c) => c.charCodeAt(0));
		const text = await new Response(new Blob([raw]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
		if (chunks.size > 8) chunks.delete(chunks.keys().next().value);
		chunks.set(k, JSON.parse(text));
	}
	return chunks.get(k)[d % D.chunk];
}

const PANES = [['dis', 'Guest code'], ['ir', 'IR'], ['spv', 'SPIR-V'], ['cfg', 'Control flow'], ['remark', 'Remarks'], ['geom', 'Generated geometry stage']];
let shown = new Set(['dis', 'ir', 'spv']), current = -1, detail = null, picture = 'svg', fit = false;

function address(kind, s) {
	const m = kind === 'dis' ? /^\s*([0-9a-f]+) {2}/.exec(s) : /@0x([0-9a-f]+)(?:\s|$)/.exec(s);
	return m ? parseInt(m[1], 16) : -1;
}

function light(a, from) {
	for (const e of document.querySelectorAll('.lines .on')) e.classList.remove('on');
	for (const box of document.querySelectorAll('.lines')) {
		const hits = box.querySelectorAll('[data-a="' + a + '"]');
		for (const h of hits) h.classList.add('on');
		if (hits.length && box !== from) hits[0].scrollIntoView({ block: 'nearest' });
	}
}

function lines(kind, text, cut) {
	const box = el('div', { class: 'lines', tabindex: '0' }), all = document.createDocumentFragment();
	for (const s of text.replace(/\n$/, '').split('\n')) {
		const a = kind === 'spv' || kind === 'geom' ? -1 : address(kind, s), e = el('div', a >= 0 ? { 'data-a': a, class: 'a' } : null, s || ' ');
		if (kind === 'ir' && /^b\d+:/.test(s)) e.classList.add('blk');
		all.append(e);
	}
	if (cut) all.append(el('div', { class: 'cut' }, fmt(cut) + ' more bytes are not in this page; xlate report --full has them'));
	box.append(all);
	box.addEventListener('click', (ev) => { const e = ev.target.closest('[data-a]'); if (e && !String(getSelection())) light(e.dataset.a, box); });
	return box;
}

function drawing() {
	const box = el('div', { class: 'pic' + (fit ? ' fit' : ''), tabindex: '0' });
	const text = detail[picture] || detail.svg || detail.ir_svg;
	const svg = text && new DOMParser().parseFromString(text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'), 'image/svg+xml').documentElement;
	if (svg && svg.nodeName === 'svg') box.append(document.importNode(svg, true));
	return box;
}

function remarks() {
	const box = el('div', { class: 'lines', tabindex: '0' });
	for (const [a, pass, text] of detail.remark || [])
		box.append(el('div', a >= 0 ? { class: 'wrap a', 'data-a': a } : { class: 'wrap' }, el('b', null, pass), a >= 0 ? '+0x' + a.toString(16) + ' ' : '', text));
	if (!(detail.remark || []).length) box.append(el('div', { class: 'wrap' }, 'No pass had anything to say.'));
	if (detail.remark_cut) box.append(el('div', { class: 'cut' }, fmt(detail.remark_cut) + ' more'));
	box.addEventListener('click', (ev) => { const e = ev.target.closest('[data-a]'); if (e) light(e.dataset.a, box); });
	return box;
}

function has(kind) { return detail && (kind === 'cfg' ? detail.svg || detail.ir_svg : detail[kind] !== undefined); }

function panes() {
	const there = PANES.filter(([k]) => has(k));
	$('p_tabs').replaceChildren(...PANES.map(([k, title], i) => has(k) ? el('button', { 'aria-pressed': String(shown.has(k)), title: 'Key ' + (i + 1), on: { click: () => toggle(k) } }, title) : null).filter(Boolean));
	$('p_panes').replaceChildren(...there.filter(([k]) => shown.has(k)).map(([k, title]) => {
		const h = el('h2', null, title);
		if (k === 'ir' && detail.after) h.append(el('small', null, 'after ' + detail.after));
		if (k === 'cfg') {
			for (const [p, name] of [['svg', 'Guest'], ['ir_svg', 'IR']])
				if (detail[p]) h.append(el('button', { 'aria-pressed': String(picture === p), on: { click: () => { picture = p; panes(); } } }, name));
			h.append(el('span', { class: 'grow' }), el('button', { on: { click: () => { fit = !fit; panes(); } } }, fit ? 'Full size' : 'Fit'));
		}
		return el('section', { class: 'pane', 'aria-label': title }, h, k === 'cfg' ? drawing() : k === 'remark' ? remarks() : lines(k, detail[k], detail[k + '_cut']));
	}));
	$('p_panes').hidden = !there.length;
}

function toggle(k) {
	if (!has(k)) return;
	if (!shown.delete(k)) shown.add(k);
	panes();
}

function fact(name, value) { return el('div', null, el('dt', null, name), el('dd', null, value)); }

async function open(i) {
	const r = R[i];
	current = i;
	detail = null;
	$('overview').hidden = true;
	$('program').hidden = false;
	document.title = r[NAME] + ' \u00b7 ' + D.file;
	$('p_name').replaceChildren(r[NAME], el('span', { class: 'chip ' + STATES[r[STATUS]] }, STATES[r[STATUS]] + (r[CODE] < 0 ? '' : ': ' + D.codes[r[CODE]])));
	$('p_facts').replaceChildren(fact('guest', D.cpus[r[CPU]] + ', wave ' + r[WAVE]), fact('guest words', fmt(r[GUEST])), fact('module words', r[WORDS] ? fmt(r[WORDS]) : 'none'),
		...(ratio(r) ? [fact('ratio', ratio(r).toFixed(2))] : []), ...(r[TIME] >= 0 ? [fact('time', ms(r[TIME]))] : []), fact('key', r[KEY]));
	$('p_diag').replaceChildren(...(r[TEXT] ? [el('div', { class: 'diag' }, r[TEXT])] : []));
	$('p_note').textContent = '';
	$('p_tabs').replaceChildren();
	$('p_panes').replaceChildren();
	window.scrollTo(0, 0);
	if (r[DETAIL] < 0) {
		$('p_note').textContent = 'The page of this program is not in this file: ' + fmt(D.pages) + ' of ' + fmt(R.length) + ' are. xlate report --full has them all.';
		return;
	}
	try {
		const d = await page(r[DETAIL]);
		if (current !== i) return;
		detail = d;
	} catch (e) {
		$('p_note').textContent = 'This browser cannot unpack the page (' + e.message + ').';
		return;
	}
	if (detail.diag.length) $('p_diag').replaceChildren(...detail.diag.map(([a, severity, inst, text, code]) => el('div', { class: 'diag ' + (severity === 'error' ? '' : severity) },
		a >= 0 ? el('code', null, '+0x' + a.toString(16) + (inst ? ' ' + inst : '') + '  ') : null, text + ' ', el('code', null, '[' + code + ']'))));
	$('p_note').textContent = (D.cache ? detail.dis === undefined ? 'The cache has no such program: guest code, IR and remarks are not known. ' : '' : 'Made without the guest cache: guest code, IR and remarks are not known. ') +
		(detail.differs ? 'Translated again, the program has another module than the package: IR and remarks are of the new one.' : '');
	panes();
	/* The instruction that the program was refused at. */
	const at = detail.diag.find((d) => d[0] >= 0);
	if (at) light(at[0], null);
}

function close() {
	current = -1;
	$('program').hidden = true;
	$('overview').hidden = false;
	document.title = D.file + ' \u00b7 xlate report';
	choose(selected);
	$('rows').focus({ preventScroll: true });
}

function route() {
	const m = /^#p=(\d+)$/.exec(location.hash);
	if (m && +m[1] < R.length) open(+m[1]);
	else if (current >= 0) close();
}

function step(by) {
	const at = view.indexOf(current) + by;
	if (at < 0 || at >= view.length) return;
	selected = at;
	location.replace('#p=' + view[at]);
}

/* ---- keys, theme, start */
function theme(set) {
	const dark = set || (document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
	document.documentElement.dataset.theme = dark;
}

document.addEventListener('keydown', (e) => {
	const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.nodeName);
	if (e.ctrlKey || e.metaKey || e.altKey || $('help').open) return;
	if (e.key === 'Escape') { if (current >= 0) location.hash = ''; else if (typing) { filter({}); $('rows').focus(); } return; }
	if (e.target === $('search') && (e.key === 'ArrowDown' || e.key === 'Enter')) { e.preventDefault(); $('rows').focus(); return; }
	if (typing) return;
	if (e.key === '/') { e.preventDefault(); if (current >= 0) location.hash = ''; $('search').focus(); $('search').select(); }
	else if (e.key === '?') $('help').showModal();
	else if (e.key === 't') theme();
	else if (current >= 0) {
		if (e.key === 'j') step(1);
		else if (e.key === 'k') step(-1);
		else if (e.key >= '1' && e.key <= '6') toggle(PANES[e.key - 1][0]);
	} else if (e.target === $('rows') || e.target === document.body) {
		const page = Math.max(1, Math.floor($('rows').clientHeight / ROW) - 1);
		const to = { ArrowDown: selected + 1, ArrowUp: selected - 1, j: selected + 1, k: selected - 1, PageDown: selected + page, PageUp: selected - page, Home: 0, End: view.length - 1 }[e.key];
		if (to !== undefined) { e.preventDefault(); choose(to); }
		else if (e.key === 'Enter' && view.length) location.hash = '#p=' + view[selected];
	}
});
matchMedia('(prefers-color-scheme:dark)').addEventListener('change', (e) => theme(e.matches ? 'dark' : 'light'));
theme(matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
$('file').textContent = D.file;
$('stamp').textContent = D.target + ' \u00b7 ' + D.options.replace(/ profile=\S*/, '') + ' \u00b7 ' + D.translator;
$('note').textContent = (D.pages < R.length ? 'The pages of ' + fmt(D.pages) + ' of ' + fmt(R.length) + ' programs are in this file: what was refused, the slowest, the largest, then as many as fit. xlate report --full has them all. ' : '') +
	(D.cache ? '' : 'Made without the guest cache: pages hold modules and diagnostics only. ');
$('theme').addEventListener('click', () => theme());
$('keys').addEventListener('click', () => $('help').showModal());
$('home').addEventListener('click', (e) => { e.preventDefault(); location.hash = ''; });
$('back').addEventListener('click', () => { location.hash = ''; });
$('prev').addEventListener('click', () => step(-1));
$('next').addEventListener('click', () => step(1));
$('rows').addEventListener('scroll', draw, { passive: true });
new ResizeObserver(draw).observe($('rows'));
let timer = 0;
$('search').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => { want.text = $('search').value; update(); }, 60); });
options('f_status', 'Every status', STATES);
options('f_stage', 'Every stage', D.stages);
options('f_cpu', 'Every guest', D.cpus);
options('f_code', 'Every reason', D.codes);
cards();
lists();
update();
addEventListener('hashchange', route);
route();
})();
