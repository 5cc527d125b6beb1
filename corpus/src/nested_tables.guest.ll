; Descriptors behind pointers that a descriptor set holds: at +16 of 32 bits, at +24 of 64. Of the set nothing else is known than
; where it is. The numbers of the original's bindings are those that the places have (xlate-record(5)).
; set: {"set": 0, "size": 64, "images": [{"offset": 0, "behind": 24, "dim": "2d", "arrayed": 0, "ms": 0, "depth": 0, "numeric": "float"}]}
define amdgpu_cs void @main(ptr addrspace(6) inreg %set, i32 inreg %x, i32 inreg %y, i32 %lane) #0 {
	%atp = getelementptr i8, ptr addrspace(6) %set, i32 16
	%atq = getelementptr i8, ptr addrspace(6) %set, i32 24
	%atout = getelementptr i8, ptr addrspace(6) %set, i32 32
	%p = load ptr addrspace(6), ptr addrspace(6) %atp, align 4, !invariant.load !0
	%q = load ptr addrspace(4), ptr addrspace(6) %atq, align 8, !invariant.load !0
	%out = load <4 x i32>, ptr addrspace(6) %atout, align 16, !invariant.load !0
	%a = load <4 x i32>, ptr addrspace(6) %set, align 16, !invariant.load !0
	%b = load <4 x i32>, ptr addrspace(6) %p, align 16, !invariant.load !0
	%n = add i32 %x, %y
	%n3 = and i32 %n, 3
	%c0 = getelementptr i8, ptr addrspace(6) %p, i32 32
	%cn = getelementptr <4 x i32>, ptr addrspace(6) %c0, i32 %n3
	%c = load <4 x i32>, ptr addrspace(6) %cn, align 16, !invariant.load !0
	%atd = getelementptr i8, ptr addrspace(6) %p, i32 96
	%d = load <4 x i32>, ptr addrspace(6) %atd, align 16, !invariant.load !0
	%image = load <8 x i32>, ptr addrspace(4) %q, align 32, !invariant.load !0
	%ats = getelementptr i8, ptr addrspace(4) %q, i64 32
	%sampler = load <4 x i32>, ptr addrspace(4) %ats, align 16, !invariant.load !0
	%x64 = shl i32 %x, 6
	%y128 = shl i32 %y, 7
	%i0 = add i32 %x64, %lane
	%i = add i32 %i0, %y128
	%at = shl i32 %i, 2
	%va = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %a, i32 %at, i32 0, i32 0)
	%vb = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %b, i32 %at, i32 0, i32 0)
	%vc = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %c, i32 %at, i32 0, i32 0)
	%vd = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %d, i32 %at, i32 0, i32 0)
	%fl = uitofp i32 %lane to float
	%s = fmul float %fl, 0.015625
	%fy = uitofp i32 %y to float
	%t = fmul float %fy, 0.5
	%texel = call <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f32(i32 15, float %s, float %t, <8 x i32> %image, <4 x i32> %sampler, i1 false, i32 0, i32 0)
	%red = extractelement <4 x float> %texel, i32 0
	%blue = extractelement <4 x float> %texel, i32 2
	%rw = bitcast float %red to i32
	%bw = bitcast float %blue to i32
	%vb3 = add i32 %vb, 3
	%m = mul i32 %va, %vb3
	%m1 = xor i32 %m, %vc
	%m2 = add i32 %m1, %vd
	%m3 = xor i32 %m2, %rw
	%m4 = add i32 %m3, %bw
	call void @llvm.amdgcn.raw.buffer.store.i32(i32 %m4, <4 x i32> %out, i32 %at, i32 0, i32 0)
	ret void
}
declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.i32(i32, <4 x i32>, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
attributes #0 = { nounwind "amdgpu-32bit-address-high-bits"="HIGH" "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
!0 = !{}
