// What the demo page works out by itself: the time line's scale and lanes, and share policies in their versions, reasons.
import type { Membership } from "tidegate";
import { describe, expect, it } from "vitest";
import type { Film } from "../../www/catalogue.ts";
import { type News, tally } from "../../www/diary.ts";
import { lane, layerOff } from "../../www/lanes.ts";
import { policyOf, SHAREABLE, sharedKinds } from "../../www/policy.ts";
import { reason } from "../../www/reasons.ts";
import { timeScale } from "../../www/time-scale.ts";

const HOUR = 3_600_000;

describe("the time line's scale", () => {
  it("keeps the order of what happened, from 0 to 1", () => {
    const times = [0, 400, 1_000, 30_000, 31_000, 5 * HOUR, 5 * HOUR + 20];
    const { place } = timeScale(times, 6 * HOUR);
    const places = times.map(place);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBe(times.length);
    expect(places[0]).toBe(0);
    expect(place(6 * HOUR)).toBe(1);
  });

  it("cuts a long pause, and says where and how long it was", () => {
    const { place, cuts } = timeScale([0, 10_000, HOUR], HOUR + 10_000);
    expect(cuts.map(({ length }) => length)).toEqual([HOUR - 10_000]);
    expect(place(HOUR) - place(10_000)).toBeCloseTo(12 / 32);
    expect(cuts[0]?.place).toBeCloseTo(16 / 32);
  });

  it("does not blow a moment up to the whole width", () => {
    expect(timeScale([0, 50], 100).place(100)).toBeLessThan(0.01);
    expect(timeScale([], 100).place(100)).toBe(0);
  });
});

describe("a lane of the time line", () => {
  const common = { tab: "a", community: "noir" };
  const entries = (...news: News[]) => news.map((entry, id) => ({ ...entry, tab: "a", id: String(id) }));
  const row: Membership = {
    user: "you",
    community: "noir",
    state: "Left",
    epoch: 1,
    sharePolicyVersion: 7,
    joinedAt: 10,
    stopForwardAt: 60,
    contributing: false,
  };

  it("has a band for each epoch, which ends where the gate closed, and dots that say what counted", () => {
    const signal = { what: "signal", kind: "like", item: "x", film: "X", ...common } as const;
    const { bands, dots } = lane(
      entries(
        { what: "join", at: 10, epoch: 0, took: 0, ...common },
        { ...signal, at: 20, outcome: "Recorded", epoch: 0 },
        { ...signal, at: 21, outcome: "Recorded", epoch: 0, community: "westerns" },
        { what: "leave", at: 30, epoch: 0, took: 0, ...common },
        { ...signal, at: 40, outcome: "Left", epoch: 0 },
        { what: "rejoin", at: 50, epoch: 1, took: 0, ...common },
        { what: "replay", kind: "like", item: "x", film: "X", at: 55, outcome: "StaleEpoch", epoch: 0, ...common },
      ),
      "noir",
      row,
    );
    expect(bands).toEqual([
      { epoch: 0, from: 10, until: 30 },
      { epoch: 1, from: 50, until: 60 },
    ]);
    expect(dots.map(({ at, fate }) => `${at} ${fate}`)).toEqual(["20 counted", "40 kept", "55 refused"]);
  });

  it("is told in two numbers: what counted in this community, and what counted nowhere", () => {
    const signal = { what: "signal", kind: "like", item: "x", film: "X", at: 1, epoch: 0, ...common } as const;
    const said = entries(
      { ...signal, outcome: "Recorded" },
      { ...signal, outcome: "Recorded", community: "westerns" },
      { ...signal, outcome: "Left" },
      { ...signal, outcome: "NotMember", community: "westerns" },
      { what: "leave", at: 2, epoch: 0, took: 0, ...common },
    );
    expect(tally(said, "noir")).toEqual({ counted: 1, onlyHere: 2 });
  });

  it("shows the membership where the diary was lost", () => {
    expect(lane([], "noir", { ...row, epoch: 0 }).bands).toEqual([{ epoch: 0, from: 10, until: 60 }]);
    expect(lane([], "noir", null)).toEqual({ bands: [], dots: [] });
  });

  it("knows when all gates were closed", () => {
    const off = { what: "layerOff", took: 0 } as const;
    const on = { what: "layerOn", took: 0 } as const;
    expect(layerOff(entries({ ...off, at: 1 }, { ...off, at: 2 }, { ...on, at: 3 }, { ...off, at: 4 }))).toEqual([
      { from: 1, until: 3 },
      { from: 4, until: null },
    ]);
  });
});

it("a reason says saved of what was saved, and liked of what was liked", () => {
  const film = (id: string): Film => ({
    id,
    title: id,
    year: 2000,
    released: 0,
    genre: "Drama",
    story: null,
    rating: null,
    director: "D",
  });
  const [saved, fresh] = [film("A"), film("B")];
  const item = { id: "B", score: 0.5, local: 0.5, community: 0, cohort: 0 };
  const grounds = { liked: [saved], community: "Film noir", cohort: null, isNew: false };
  expect(reason(fresh, item, { ...grounds, saved: [saved] })).toBe("Because you saved A, also by D");
  expect(reason(fresh, item, { ...grounds, saved: [] })).toBe("Because you liked A, also by D");
  const byGenre = { ...fresh, director: null };
  expect(reason(byGenre, item, { ...grounds, saved: [saved] })).toBe("Because you saved A");
});

it("each choice of shared kinds has a policy version of its own, which tells the choice", () => {
  const kinds = SHAREABLE.map(({ kind }) => kind);
  const choices = Array.from({ length: 2 ** kinds.length }, (_, bits) =>
    kinds.filter((_kind, bit) => bits & (2 ** bit)),
  );
  const versions = choices.map((choice) => policyOf(choice).version ?? -1);
  expect(new Set(versions).size).toBe(choices.length);
  expect(versions.map(sharedKinds)).toEqual(choices);
});
