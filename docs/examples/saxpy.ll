target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @saxpy(i32 %n, float %a, ptr noalias readonly %x, ptr noalias %y) #0 {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %size
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %end

body:
  %index = sext i32 %i to i64
  %px = getelementptr inbounds float, ptr %x, i64 %index
  %py = getelementptr inbounds float, ptr %y, i64 %index
  %vx = load float, ptr %px, align 4
  %vy = load float, ptr %py, align 4
  %ax = fmul contract float %a, %vx
  %sum = fadd contract float %ax, %vy
  store float %sum, ptr %py, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_80" }
