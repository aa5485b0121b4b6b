//===- References.cpp - What the kernels must compute ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where a kernel's operations and their order are plain, the reference does the
// same and every bit must agree: the kernels write fmaf where they mean it, and
// the sums of the reduction ladder are whole numbers that a float holds
// exactly. Elsewhere the reference computes in double precision, and its
// tolerance covers what single precision and approximate instructions lose.
//===----------------------------------------------------------------------===//
#include "References.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace ptxpredict::accuracy;

namespace {

/// A launch with its memory. Parameters go by their index.
class Case {
public:
  Case(const Launch &L, Contents &Memory, Tolerances &Allowed)
      : L(L), Memory(Memory), Allowed(Allowed) {}

  template <typename T>
  T *buffer(unsigned I) const {
    return reinterpret_cast<T *>(Memory[L.Arguments[I].Buffer].data());
  }
  /// A buffer's contents as they were, to compute others from.
  template <typename T>
  std::vector<T> copy(unsigned I) const {
    const T *Data = buffer<T>(I);
    size_t Count = Memory[L.Arguments[I].Buffer].size() / sizeof(T);
    return std::vector<T>(Data, Data + Count);
  }
  /// The values of a buffer of half-precision numbers.
  std::vector<double> halves(unsigned I) const {
    const Bytes &Data = Memory[L.Arguments[I].Buffer];
    std::vector<double> Values(Data.size() / 2);
    for (size_t J = 0; J < Values.size(); ++J)
      Values[J] = readElement("f16", &Data[2 * J]);
    return Values;
  }
  int integer(unsigned I) const { return int(L.Arguments[I].Value); }
  float real(unsigned I) const { return float(L.Arguments[I].Value); }
  int blocks() const { return int(L.Grid.X); }
  int threads() const { return int(L.Block.X); }
  void tolerate(unsigned I, double Tolerance) const {
    Allowed[L.Arguments[I].Buffer] = Tolerance;
  }

private:
  const Launch &L;
  Contents &Memory;
  Tolerances &Allowed;
};

} // namespace

//===----------------------------------------------------------------------===//
// Vectors and matrices
//===----------------------------------------------------------------------===//

static void vectorAdd(const Case &C) {
  for (int I = 0; I < C.integer(3); ++I)
    C.buffer<float>(2)[I] = C.buffer<float>(0)[I] + C.buffer<float>(1)[I];
}

static void saxpy(const Case &C) {
  const float *X = C.buffer<float>(2);
  float *Y = C.buffer<float>(3);
  for (int I = 0; I < C.integer(0); ++I)
    Y[I] = std::fmaf(C.real(1), X[I], Y[I]);
}

static void transpose(const Case &C) {
  int Width = C.integer(2), Height = C.integer(3);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X)
      C.buffer<float>(1)[X * Height + Y] = C.buffer<float>(0)[Y * Width + X];
}

static void matmul(const Case &C) {
  const float *A = C.buffer<float>(0), *B = C.buffer<float>(1);
  int M = C.integer(3), N = C.integer(4), K = C.integer(5);
  for (int Y = 0; Y < M; ++Y)
    for (int X = 0; X < N; ++X) {
      float Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum = std::fmaf(A[Y * K + I], B[I * N + X], Sum);
      C.buffer<float>(2)[Y * N + X] = Sum;
    }
}

/// The product of matrices of halves, in double precision.
static std::vector<double> halfProduct(const Case &C) {
  std::vector<double> A = C.halves(0), B = C.halves(1);
  size_t N = size_t(C.integer(3)), K = size_t(C.integer(4)), M = A.size() / K;
  std::vector<double> Product(M * N);
  for (size_t Y = 0; Y < M; ++Y)
    for (size_t I = 0; I < K; ++I)
      for (size_t X = 0; X < N; ++X)
        Product[Y * N + X] += A[Y * K + I] * B[I * N + X];
  return Product;
}

// How tensor cores round sums is not specified.
static void matmulHalf(const Case &C) {
  std::vector<double> Product = halfProduct(C);
  for (size_t I = 0; I < Product.size(); ++I)
    C.buffer<float>(2)[I] = float(Product[I]);
  C.tolerate(2, 5e-5);
}

static void matmulHalfToHalf(const Case &C) {
  std::vector<double> Product = halfProduct(C);
  for (size_t I = 0; I < Product.size(); ++I)
    writeElement("f16", Product[I], C.buffer<unsigned char>(2) + 2 * I);
  C.tolerate(2, 1e-3);
}

static void luPanel(const Case &C) {
  int Rows = C.integer(2), Columns = C.integer(3);
  for (int Block = 0; Block < C.blocks(); ++Block) {
    double *Panel = C.buffer<double>(0) + Block * Rows * Columns;
    for (int J = 0; J < Columns; ++J) {
      int Pivot = J;
      for (int R = J + 1; R < Rows; ++R)
        if (std::fabs(Panel[R * Columns + J]) >
            std::fabs(Panel[Pivot * Columns + J]))
          Pivot = R;
      C.buffer<int>(1)[Block * Columns + J] = Pivot;
      if (Pivot != J)
        std::swap_ranges(Panel + J * Columns, Panel + (J + 1) * Columns,
                         Panel + Pivot * Columns);
      for (int R = J + 1; R < Rows; ++R) {
        double Factor = Panel[R * Columns + J] / Panel[J * Columns + J];
        Panel[R * Columns + J] = Factor;
        for (int I = J + 1; I < Columns; ++I)
          Panel[R * Columns + I] =
              std::fma(-Factor, Panel[J * Columns + I], Panel[R * Columns + I]);
      }
    }
  }
}

static void spmv(const Case &C, int Lanes) {
  const auto *Starts = C.buffer<unsigned>(0), *Columns = C.buffer<unsigned>(1);
  const auto *Values = C.buffer<float>(2), *X = C.buffer<float>(3);
  for (int Row = 0; Row < C.integer(5); ++Row) {
    std::vector<float> Sums(static_cast<size_t>(Lanes));
    for (unsigned E = Starts[Row]; E < Starts[Row + 1]; ++E) {
      float &Sum = Sums[(E - Starts[Row]) % unsigned(Lanes)];
      Sum = std::fmaf(Values[E], X[Columns[E]], Sum);
    }
    for (size_t Half = Sums.size() / 2; Half > 0; Half /= 2)
      for (size_t I = 0; I < Half; ++I)
        Sums[I] += Sums[I + Half];
    C.buffer<float>(4)[Row] = Sums[0];
  }
}
static void spmvScalar(const Case &C) { spmv(C, 1); }
static void spmvVector(const Case &C) { spmv(C, 32); }

static void dotDp4a(const Case &C) {
  for (int I = 0; I < C.integer(3); ++I)
    C.buffer<int>(2)[0] +=
        C.buffer<signed char>(0)[I] * C.buffer<signed char>(1)[I];
}

//===----------------------------------------------------------------------===//
// Sums, counts and order
//===----------------------------------------------------------------------===//

/// Sums of what each block takes: \p PerBlock elements in turn with the others.
static void reduce(const Case &C, int PerBlock) {
  std::vector<double> Sums(static_cast<size_t>(C.blocks()));
  for (int I = 0; I < C.integer(2); ++I)
    Sums[size_t(I / PerBlock % C.blocks())] += C.buffer<float>(0)[I];
  for (int B = 0; B < C.blocks(); ++B)
    C.buffer<float>(1)[B] = float(Sums[size_t(B)]);
}
static void reduceOne(const Case &C) { reduce(C, C.threads()); }
static void reduceTwo(const Case &C) { reduce(C, 2 * C.threads()); }

static void scanBlocks(const Case &C) {
  const auto *In = C.buffer<unsigned>(0);
  for (int B = 0; B < C.blocks(); ++B) {
    unsigned Sum = 0;
    int End = std::min((B + 1) * C.threads(), C.integer(3));
    for (int I = B * C.threads(); I < End; ++I)
      C.buffer<unsigned>(1)[I] = Sum += In[I];
    C.buffer<unsigned>(2)[B] = Sum;
  }
}

static void scanAddOffsets(const Case &C) {
  for (int I = 0; I < C.integer(2); ++I)
    C.buffer<unsigned>(0)[I] += C.buffer<unsigned>(1)[I / C.threads()];
}

static void scanTree(const Case &C) {
  unsigned Sum = 0;
  for (int I = 0; I < C.integer(2); ++I) {
    if (I % (2 * C.threads()) == 0)
      Sum = 0;
    C.buffer<unsigned>(1)[I] = Sum;
    Sum += C.buffer<unsigned>(0)[I];
  }
}

static void histogram(const Case &C) {
  for (int I = 0; I < C.integer(2); ++I)
    ++C.buffer<unsigned>(1)[C.buffer<unsigned char>(0)[I]];
}

static void bitonicSort(const Case &C) {
  auto *Data = C.buffer<unsigned>(0);
  int Keys = 2 * C.threads();
  for (int First = 0; First < C.integer(1); First += Keys)
    std::sort(Data + First, Data + std::min(First + Keys, C.integer(1)));
}

static void warpReduce(const Case &C) {
  int N = C.integer(3);
  for (int First = 0; First < N; First += 32) {
    const int *Begin = C.buffer<int>(0) + First;
    const int *End = C.buffer<int>(0) + std::min(First + 32, N);
    C.buffer<int>(1)[First / 32] = std::accumulate(Begin, End, 0);
    C.buffer<int>(2)[First / 32] = *std::max_element(Begin, End);
  }
}

static void warpVote(const Case &C) {
  int N = C.integer(4);
  for (int First = 0; First < N; First += 32) {
    const auto *Begin = C.buffer<unsigned>(0) + First;
    const auto *End = C.buffer<unsigned>(0) + std::min(First + 32, N);
    std::copy_if(Begin, End, C.buffer<unsigned>(1) + First,
                 [](unsigned V) { return V % 2 != 0; });
    unsigned All = 1, Any = 0;
    for (const auto *V = Begin; V != End; ++V) {
      C.buffer<unsigned>(2)[First + (V - Begin)] =
          unsigned(std::count(Begin, End, *V));
      All &= *V < 12;
      Any |= *V == 0;
    }
    C.buffer<unsigned>(3)[First / 32] = *Begin << 2 | All << 1 | Any;
  }
}

static void bfsStep(const Case &C) {
  const auto *Starts = C.buffer<unsigned>(0);
  int *Levels = C.buffer<int>(2);
  for (int V = 0; V < C.integer(5); ++V)
    for (unsigned E = Starts[V]; E < Starts[V + 1]; ++E) {
      int &Neighbour = Levels[C.buffer<unsigned>(1)[E]];
      if (Levels[V] == C.integer(4) && Neighbour == -1) {
        Neighbour = C.integer(4) + 1;
        ++*C.buffer<unsigned>(3);
      }
    }
}

static void kmeansAssign(const Case &C) {
  const auto *Points = C.buffer<float>(0), *Centres = C.buffer<float>(1);
  int N = C.integer(4), K = C.integer(5);
  for (int I = 0; I < N; ++I) {
    float Least = std::numeric_limits<float>::infinity();
    int Best = 0;
    for (int J = 0; J < K; ++J) {
      float Distance = 0;
      for (int D = 0; D < 4; ++D) {
        float Difference = Points[D * N + I] - Centres[D * K + J];
        Distance = std::fmaf(Difference, Difference, Distance);
      }
      if (Distance < Least) {
        Least = Distance;
        Best = J;
      }
    }
    C.buffer<unsigned>(2)[I] = unsigned(Best);
    ++C.buffer<unsigned>(3)[Best];
  }
}

//===----------------------------------------------------------------------===//
// Neighbourhoods
//===----------------------------------------------------------------------===//

// In units of 1/128, 1/32 and 1/128.
static constexpr float Weights1D[] = {1,  2,  3,  4, 8, 12, 16, 24, 32,
                                      23, 16, 12, 8, 4, 3,  2,  1};
static constexpr float Weights2D[5][5] = {{2, 4, 8, 4, 1},
                                          {4, 8, 16, 8, 2},
                                          {8, 16, -128, 16, 4},
                                          {4, 8, 16, 8, 2},
                                          {2, 4, 8, 4, 1}};
static constexpr float WeightsSeparable[] = {2, 4, 16, 24, 32, 28, 16, 8, 1};

static void convolution1d(const Case &C) {
  const auto *In = C.buffer<float>(0);
  for (int I = 0; I < C.integer(2); ++I) {
    float Sum = 0;
    for (int W = 0; W < 17; ++W) {
      int From = I + W - 8;
      bool Inside = From >= 0 && From < C.integer(2);
      Sum = std::fmaf(Weights1D[W] / 128, Inside ? In[From] : 0, Sum);
    }
    C.buffer<float>(1)[I] = Sum;
  }
}

static void convolution2d(const Case &C) {
  int Width = C.integer(2), Height = C.integer(3);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      float Sum = 0;
      for (int V = 0; V < 5; ++V)
        for (int U = 0; U < 5; ++U) {
          int Row = std::clamp(Y + V - 2, 0, Height - 1);
          int Column = std::clamp(X + U - 2, 0, Width - 1);
          Sum = std::fmaf(Weights2D[V][U] / 32,
                          C.buffer<float>(0)[Row * Width + Column], Sum);
        }
      C.buffer<float>(1)[Y * Width + X] = Sum;
    }
}

/// Along rows (\p DX is 1) or columns (\p DY is 1).
static void convolutionAlong(const Case &C, int DX, int DY) {
  int Width = C.integer(2), Height = C.integer(3);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      float Sum = 0;
      for (int W = 0; W < 9; ++W) {
        int U = X + (W - 4) * DX, V = Y + (W - 4) * DY;
        bool Inside = U >= 0 && U < Width && V >= 0 && V < Height;
        Sum = std::fmaf(WeightsSeparable[W] / 128,
                        Inside ? C.buffer<float>(0)[V * Width + U] : 0, Sum);
      }
      C.buffer<float>(1)[Y * Width + X] = Sum;
    }
}
static void convolutionRows(const Case &C) { convolutionAlong(C, 1, 0); }
static void convolutionColumns(const Case &C) { convolutionAlong(C, 0, 1); }

static void hotspotSteps(const Case &C) {
  int Width = C.integer(3), Height = C.integer(4);
  float Along = C.real(5), Across = C.real(6), Cooling = C.real(7);
  std::vector<float> Now = C.copy<float>(1), Next = Now;
  auto At = [&](int X, int Y) {
    return Now.data()[std::clamp(Y, 0, Height - 1) * Width +
                      std::clamp(X, 0, Width - 1)];
  };
  for (int Step = 0; Step < 2; ++Step) {
    for (int Y = 0; Y < Height; ++Y)
      for (int X = 0; X < Width; ++X) {
        float Own = At(X, Y);
        float Heat = Own + C.buffer<float>(0)[Y * Width + X];
        Heat = std::fmaf(Along, std::fmaf(-2, Own, At(X - 1, Y) + At(X + 1, Y)),
                         Heat);
        Heat = std::fmaf(Across,
                         std::fmaf(-2, Own, At(X, Y - 1) + At(X, Y + 1)), Heat);
        Next.data()[Y * Width + X] = std::fmaf(Cooling, C.real(8) - Own, Heat);
      }
    Now.swap(Next);
  }
  std::copy(Now.begin(), Now.end(), C.buffer<float>(2));
}

//===----------------------------------------------------------------------===//
// Real functions
//===----------------------------------------------------------------------===//

static void nbodyStep(const Case &C) {
  const auto *Bodies = C.buffer<float>(0);
  std::vector<float> Before = C.copy<float>(2);
  double Step = C.real(4), Softening = C.real(5);
  for (int I = 0; I < C.integer(3); ++I) {
    double Pulls[3] = {};
    for (int J = 0; J < C.integer(3); ++J) {
      double Distances[3], Squared = Softening;
      for (int D = 0; D < 3; ++D) {
        Distances[D] = double(Bodies[4 * J + D]) - Bodies[4 * I + D];
        Squared += Distances[D] * Distances[D];
      }
      for (int D = 0; D < 3; ++D)
        Pulls[D] += Bodies[4 * J + 3] * Distances[D] / std::pow(Squared, 1.5);
    }
    for (int D = 0; D < 3; ++D) {
      double Velocity = Before.data()[4 * I + D] + Pulls[D] * Step;
      C.buffer<float>(2)[4 * I + D] = float(Velocity);
      C.buffer<float>(1)[4 * I + D] =
          float(Bodies[4 * I + D] + Velocity * Step);
    }
    C.buffer<float>(1)[4 * I + 3] = Bodies[4 * I + 3];
  }
  C.tolerate(1, 1e-5);
  C.tolerate(2, 1e-5);
}

static void blackScholes(const Case &C) {
  auto Normal = [](double D) { return std::erfc(-D / std::sqrt(2.0)) / 2; };
  double Rate = C.real(6), Volatility = C.real(7);
  for (int I = 0; I < C.integer(5); ++I) {
    double S = C.buffer<float>(0)[I], K = C.buffer<float>(1)[I];
    double T = C.buffer<float>(2)[I], Deviation = Volatility * std::sqrt(T);
    double D1 = (std::log(S / K) + (Rate + Volatility * Volatility / 2) * T) /
                Deviation;
    double D2 = D1 - Deviation, Discounted = K * std::exp(-Rate * T);
    C.buffer<float>(3)[I] = float(S * Normal(D1) - Discounted * Normal(D2));
    C.buffer<float>(4)[I] = float(Discounted * Normal(-D2) - S * Normal(-D1));
  }
  C.tolerate(3, 5e-5);
  C.tolerate(4, 5e-5);
}

static void softmaxRows(const Case &C) {
  int Columns = C.integer(2);
  for (int Row = 0; Row < C.blocks(); ++Row) {
    const float *In = C.buffer<float>(0) + Row * Columns;
    double Greatest = *std::max_element(In, In + Columns), Sum = 0;
    for (int I = 0; I < Columns; ++I)
      Sum += std::exp(In[I] - Greatest);
    for (int I = 0; I < Columns; ++I)
      C.buffer<float>(1)[Row * Columns + I] =
          float(std::exp(In[I] - Greatest) / Sum);
  }
  C.tolerate(1, 1e-6);
}

static void layerNorm(const Case &C) {
  int Columns = C.integer(5);
  for (int Row = 0; Row < C.integer(4); ++Row) {
    const float *In = C.buffer<float>(0) + Row * Columns;
    double Mean = std::accumulate(In, In + Columns, 0.0) / Columns;
    double Squares = 0;
    for (int I = 0; I < Columns; ++I)
      Squares += (In[I] - Mean) * (In[I] - Mean);
    double Inverse = 1 / std::sqrt(Squares / Columns + C.real(6));
    for (int I = 0; I < Columns; ++I)
      C.buffer<float>(3)[Row * Columns + I] =
          float((In[I] - Mean) * Inverse * C.buffer<float>(1)[I] +
                C.buffer<float>(2)[I]);
  }
  C.tolerate(3, 1e-5);
}

static void flashAttention(const Case &C) {
  constexpr size_t Size = 32;
  std::vector<float> Q = C.copy<float>(0), K = C.copy<float>(1),
                     V = C.copy<float>(2);
  size_t Length = size_t(C.integer(4));
  for (size_t Row = 0; Row < Q.size() / Size; ++Row) {
    size_t Head = Row / Length * Length;
    std::vector<double> Sums(Size);
    double Total = 0;
    for (size_t Key = Head; Key < Head + Length; ++Key) {
      double Score = 0;
      for (size_t D = 0; D < Size; ++D)
        Score += double(Q[Row * Size + D]) * K[Key * Size + D];
      double Weight = std::exp(Score * C.real(5));
      Total += Weight;
      for (size_t D = 0; D < Size; ++D)
        Sums[D] += Weight * V[Key * Size + D];
    }
    for (size_t D = 0; D < Size; ++D)
      C.buffer<float>(3)[Row * Size + D] = float(Sums[D] / Total);
  }
  C.tolerate(3, 1e-5);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void mandelbrot(const Case &C) {
  int Width = C.integer(1);
  for (int Y = 0; Y < C.integer(2); ++Y)
    for (int X = 0; X < Width; ++X) {
      float Real = std::fmaf(C.real(5), float(X), C.real(3));
      float Imaginary = std::fmaf(C.real(5), float(Y), C.real(4));
      float A = 0, B = 0;
      int Count = 0;
      for (; Count < C.integer(6); ++Count) {
        // Stored, so that no compiler joins them with the sums.
        volatile float AA = A * A, BB = B * B;
        if (AA + BB > 4)
          break;
        B = std::fmaf(A + A, B, Imaginary);
        A = AA - BB;
        A += Real;
      }
      C.buffer<unsigned short>(0)[Y * Width + X] =
          static_cast<unsigned short>(Count);
    }
}

static void randomWalk(const Case &C) {
  for (int I = 0; I < C.integer(3); ++I) {
    unsigned State = C.buffer<unsigned>(0)[I];
    int X = 0, Y = 0, Steps = 0, Edge = C.integer(4);
    for (; Steps < C.integer(5); ++Steps) {
      if (std::abs(X) >= Edge || std::abs(Y) >= Edge)
        break;
      State ^= State << 13;
      State ^= State >> 17;
      State ^= State << 5;
      int Length = X % 2 == 0 ? 1 : 2;
      if (State >> 31)
        Y += State >> 30 == 2 ? Length : -Length;
      else
        X += State >> 30 == 0 ? 1 : -1;
    }
    C.buffer<int>(1)[2 * I] = X;
    C.buffer<int>(1)[2 * I + 1] = Y;
    C.buffer<unsigned>(2)[I] = unsigned(Steps);
  }
}

static void recursionFibonacci(const Case &C) {
  for (int I = 0; I < C.integer(2); ++I) {
    unsigned Number = 0, Next = 1;
    for (unsigned N = C.buffer<unsigned>(0)[I]; N > 0; --N) {
      Next += Number;
      Number = Next - Number;
    }
    C.buffer<unsigned>(1)[I] = Number;
  }
}

static void recursionQuicksort(const Case &C) {
  constexpr int Length = 24;
  int N = C.integer(1);
  for (int I = 0; I < N; ++I) {
    int List[Length];
    for (int J = 0; J < Length; ++J)
      List[J] = C.buffer<int>(0)[J * N + I];
    std::sort(List, List + Length);
    for (int J = 0; J < Length; ++J)
      C.buffer<int>(0)[J * N + I] = List[J];
  }
}

static void linkedListChase(const Case &C) {
  for (unsigned I = 0; I < unsigned(C.integer(3)); ++I) {
    unsigned At = I, Sum = 0;
    for (int Step = 0; Step < C.integer(4); ++Step) {
      Sum = Sum * 31 + C.buffer<unsigned>(1)[At];
      At = C.buffer<unsigned>(0)[At];
    }
    C.buffer<unsigned>(2)[I] = Sum;
  }
}

static void linkedListHeap(const Case &C) {
  for (unsigned I = 0; I < unsigned(C.integer(2)); ++I) {
    unsigned Sum = 0;
    for (unsigned J = C.buffer<unsigned>(0)[I]; J > 0; --J)
      Sum = Sum * 31 + I + J - 1;
    C.buffer<unsigned>(1)[I] = Sum;
  }
}

static void copyPipeline(const Case &C) {
  int N = C.integer(2), Tile = 256;
  for (int I = 0; I < N; ++I) {
    int From = I / Tile * Tile + Tile - 1 - I % Tile;
    C.buffer<float>(1)[I] = From < N ? C.real(3) * C.buffer<float>(0)[From] : 0;
  }
}

static void copyMbarrier(const Case &C) {
  int N = C.integer(2), Tile = 96;
  for (int I = 0; I < N; ++I) {
    int First = I / Tile * Tile;
    int From = First + std::min(Tile, N - First) - 1 - I % Tile;
    C.buffer<int>(1)[I] = C.buffer<int>(0)[From] +
                          (From > First ? C.buffer<int>(0)[From - 1] : 0);
  }
}

// What printf returns on a device is the number of its arguments (CUDA C++
// Programming Guide, "Formatted Output").
static void printThreads(const Case &C) {
  for (int I = 0; I < C.integer(1); ++I)
    C.buffer<int>(0)[I] = I % C.integer(2) == 0 ? 6 : 0;
}

bool ptxpredict::accuracy::computeReference(const Launch &L, Contents &Memory,
                                            Tolerances &Allowed) {
  static const std::map<std::string, void (*)(const Case &)> References = {
      {"bfsStep", bfsStep},
      {"bitonicSort", bitonicSort},
      {"blackScholes", blackScholes},
      {"convolution1d", convolution1d},
      {"convolution2d", convolution2d},
      {"convolutionColumns", convolutionColumns},
      {"convolutionRows", convolutionRows},
      {"copyMbarrier", copyMbarrier},
      {"copyPipeline", copyPipeline},
      {"dotDp4a", dotDp4a},
      {"flashAttention", flashAttention},
      {"histogramGlobal", histogram},
      {"histogramShared", histogram},
      {"hotspotSteps", hotspotSteps},
      {"kmeansAssign", kmeansAssign},
      {"layerNorm", layerNorm},
      {"linkedListChase", linkedListChase},
      {"linkedListHeap", linkedListHeap},
      {"luPanel", luPanel},
      {"mandelbrot", mandelbrot},
      {"matmulNaive", matmul},
      {"matmulRegister", matmul},
      {"matmulTensor", matmulHalf},
      {"matmulTensorHalf", matmulHalfToHalf},
      {"matmulTiled", matmul},
      {"matmulWmma", matmulHalf},
      {"nbodyStep", nbodyStep},
      {"printThreads", printThreads},
      {"randomWalk", randomWalk},
      {"recursionFibonacci", recursionFibonacci},
      {"recursionQuicksort", recursionQuicksort},
      {"reduce1", reduceOne},
      {"reduce2", reduceOne},
      {"reduce3", reduceOne},
      {"reduce4", reduceTwo},
      {"reduce5", reduceTwo},
      {"reduce6", reduceTwo},
      {"reduce7", reduceTwo},
      {"saxpy", saxpy},
      {"scanAddOffsets", scanAddOffsets},
      {"scanBlocks", scanBlocks},
      {"scanTree", scanTree},
      {"softmaxRows", softmaxRows},
      {"spmvScalar", spmvScalar},
      {"spmvVector", spmvVector},
      {"transposeNaive", transpose},
      {"transposePadded", transpose},
      {"transposeShared", transpose},
      {"vectorAdd", vectorAdd},
      {"warpReduce", warpReduce},
      {"warpVote", warpVote},
  };
  auto It = References.find(L.Kernel);
  if (It == References.end())
    return false;
  It->second(Case(L, Memory, Allowed));
  return true;
}
