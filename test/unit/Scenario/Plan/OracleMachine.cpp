//===- OracleMachine.cpp - Time, places and links by SimGrid --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OracleMachine.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

OracleMachine::OracleMachine(const RandomScenario &S, s4u::NetZone &Around,
                             const std::string &Name)
    : Layout(S.On), S(S), Name(Name),
      Zone(s4u::create_full_zone(Name)->set_parent(&Around)),
      Sink(Zone->create_host(Name + "-sink", 1e9)->seal()),
      HasArrivals(s4u::Semaphore::create(0)) {
  s4u::Actor::create(Name, Sink, [this] { serve(); })->daemonize();
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// How often a flow goes over each link; nothing if that is no whole number.
std::optional<OracleMachine::Flow> OracleMachine::flowOf(const PlainLoad &L,
                                                         double Factor) {
  Flow F;
  for (const auto &[Way, Weight] : L.Weights) {
    const double Times = std::round(Weight * Factor);
    if (std::abs(Times - Weight * Factor) > 1e-9)
      return std::nullopt;
    F.emplace_back(Way, unsigned(Times));
  }
  return F;
}

/// A flow that goes over a link several times has it several times on its way:
/// SimGrid counts it as often.
void OracleMachine::addFlow(const PlainLoad &L, double Factor) {
  const std::optional<Flow> F = flowOf(L, Factor);
  if (!L.isFlow() || !F || Sources.count(*F))
    return;
  s4u::Host *Source =
      Zone->create_host(Name + "-" + std::to_string(Sources.size()), 1e9)
          ->seal();
  std::vector<s4u::LinkInRoute> Route;
  for (const auto &[Way, Times] : *F) {
    const s4u::Link *&Link = Links[Way];
    if (!Link)
      Link = Zone->create_link(Name + "-link-" + std::to_string(Links.size()),
                               Way.Of->Of.GBs * 1e9)
                 ->seal();
    Route.insert(Route.end(), Times, s4u::LinkInRoute(Link));
  }
  Zone->add_route(Source->get_netpoint(), Sink->get_netpoint(), nullptr,
                  nullptr, Route, /*symmetrical=*/false);
  Sources[*F] = Source;
}

void OracleMachine::addLoad(OracleJob &J, const PlainLoad &L, double Bytes,
                            double Factor) {
  for (const auto &[Way, Weight] : L.Weights)
    if (Way.Of->IsFIFO)
      J.Servers.push_back(&Ways[Way]);
  if (!L.isFlow() || Bytes == 0) {
    J.Seconds = L.seconds(Bytes) * Factor;
    return;
  }
  J.Seconds = L.Startup * Factor;
  J.Bytes = uint64_t(std::round(Bytes));
  const std::optional<Flow> F = flowOf(L, Factor);
  ASSERT_TRUE(F) << "flows should go over links a whole number of times";
  ASSERT_TRUE(Sources.count(*F)) << "it should be known beforehand";
  J.Source = Sources.at(*F);
}

//===----------------------------------------------------------------------===//
// Actors
//===----------------------------------------------------------------------===//

void OracleMachine::start(std::function<void()> Do) {
  s4u::Actor::create(Name, Sink, [this, Do = std::move(Do)] {
    ++Activity;
    Do();
  });
  ++Activity;
}

void OracleMachine::acquire(const s4u::SemaphorePtr &Of) {
  Of->acquire();
  ++Activity;
}

void OracleMachine::release(const s4u::SemaphorePtr &Of) {
  Of->release();
  ++Activity;
}

void OracleMachine::wait(const LatchPtr &L) {
  if (!L || L->IsOpen)
    return;
  const s4u::SemaphorePtr Own = s4u::Semaphore::create(0);
  L->Waiting.push_back(Own);
  acquire(Own);
}

void OracleMachine::open(const LatchPtr &L) {
  L->IsOpen = true;
  for (const s4u::SemaphorePtr &W : L->Waiting)
    release(W);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

OracleServer *OracleMachine::coresOf(const PlainPlace &CPU) {
  return &Parts.try_emplace({CPU, 0}, OracleServer{Layout.part(CPU).Cores, {}})
              .first->second;
}

OracleServer *OracleMachine::kernelsOf(const PlainPlace &GPU) {
  const unsigned Places = S.ConcurrentKernels
                              ? S.ConcurrentKernels
                              : Layout.part(GPU).ConcurrentKernels;
  return &Parts.try_emplace({GPU, 0}, OracleServer{Places, {}}).first->second;
}

OracleServer *OracleMachine::copiesOf(const PlainPlace &GPU, bool IsOut) {
  const unsigned Engine = IsOut && Layout.part(GPU).CopyEngines == 2 ? 2 : 1;
  return &Parts.try_emplace({GPU, Engine}).first->second;
}

/// Serves those that have arrived when all that happens at that time has: as
/// nobody can see that no actor is about to go on, when none did in two turns.
void OracleMachine::serve() {
  for (;;) {
    HasArrivals->acquire();
    size_t Before = 0;
    do {
      Before = Activity;
      s4u::this_actor::yield();
      s4u::this_actor::yield();
    } while (Before != Activity);
    IsServing = false;
    std::vector<OracleJob *> All;
    All.swap(Arriving);
    llvm::sort(All, [](const OracleJob *A, const OracleJob *B) {
      return std::tie(A->Process, A->Number) < std::tie(B->Process, B->Number);
    });
    for (OracleJob *J : All) {
      for (OracleServer *Of : J->Servers)
        if (Of->Free != 0) {
          --Of->Free;
        } else {
          Of->Waiting.push_back(J);
          ++J->NumMissing;
        }
      if (J->NumMissing == 0)
        J->Served->release();
    }
  }
}

void OracleMachine::run(OracleJob &J) {
  if (!J.Servers.empty()) {
    J.Served = s4u::Semaphore::create(0);
    Arriving.push_back(&J);
    if (!IsServing) {
      IsServing = true;
      release(HasArrivals);
    }
    acquire(J.Served);
  }
  const double Start = s4u::Engine::get_clock();
  if (J.Seconds > 0)
    s4u::this_actor::sleep_for(J.Seconds);
  if (J.Bytes > 0)
    s4u::Comm::sendto(J.Source, Sink, J.Bytes);
  ++Activity;
  if (J.Into)
    *J.Into = {Start, s4u::Engine::get_clock()};
  for (OracleServer *Of : J.Servers)
    leave(*Of);
}

void OracleMachine::leave(OracleServer &Of) {
  if (Of.Waiting.empty()) {
    ++Of.Free;
    return;
  }
  OracleJob *Next = Of.Waiting.front();
  Of.Waiting.pop_front();
  if (--Next->NumMissing == 0)
    release(Next->Served);
}
