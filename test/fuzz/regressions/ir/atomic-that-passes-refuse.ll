target triple = "nvptx64-nvidia-cuda"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @ordered(ptr addrspace(1) %p) "target-cpu"="sm_75" {
  %v = load atomic i32, ptr addrspace(1) %p seq_cst, align 1
  ret void
}