"use client";
// Tidegate in React 19: a provider that opens a database, and hooks that follow it. Copy this file into your app.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Id, Membership, OpenOptions, Query, QueryResult, Tidegate } from "tidegate";
import { open } from "tidegate";

type Work<T> = (tide: Tidegate) => T;
type View = { tide?: Tidegate }; // another object after each change, so that React notices
const CLOSED: View = {}; // on a server too, and while a page hydrates
let closed = Promise.resolve(); // what opens waits for what closes

function createStore(options?: OpenOptions, prepare?: Work<void>) {
  const listeners = new Set<() => void>();
  let view = CLOSED;
  const show = (next: View) => {
    view = next;
    for (const listener of listeners) listener();
  };
  return {
    current: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update: <T,>(work: Work<T>): T => {
      if (!view.tide) throw new Error("no database is open: is there a TidegateProvider?");
      const result = work(view.tide);
      show({ ...view }); // of signals and items the database's own event does not tell
      return result;
    },
    mount: (fail: (error: unknown) => void) => {
      let mounted = true; // strict mode has unmounted it again before its turn comes
      const opening = closed.then(() => (mounted ? open(options) : undefined));
      const opened = (tide?: Tidegate) => {
        if (!mounted || !tide) return;
        prepare?.(tide);
        tide.on("change", ({ type }) => {
          if (!mounted) return;
          if (type === "reset") prepare?.(tide); // the site's data was deleted
          show({ tide });
        });
        show({ tide });
      };
      opening.then(opened).catch((error) => mounted && fail(error));
      return () => {
        mounted = false;
        show(CLOSED);
        closed = closed
          .then(() => opening)
          .then((tide) => tide?.close())
          .catch(options?.onError ?? console.error);
      };
    },
  };
}

const Context = createContext(createStore());

/** Opens when it mounts (never on a server), fills what it opened, closes when it unmounts. Another `key` opens anew. */
export function TidegateProvider(props: { options?: OpenOptions; prepare?: Work<void>; children: ReactNode }) {
  const [failure, setFailure] = useState<unknown>();
  const [store] = useState(() => createStore(props.options, props.prepare));
  useEffect(() => store.mount(setFailure), [store]); // not while rendering, which may be repeated or dropped
  if (failure) throw failure; // to the nearest error boundary
  return <Context value={store}>{props.children}</Context>;
}

/** A membership and its actions; undefined until the database is open. */
export function useMembership(user: Id, community: Id) {
  const { subscribe, current, update } = useContext(Context);
  const row = () => JSON.stringify(current().tide?.membership(user, community)); // equal rows are one snapshot
  const text = useSyncExternalStore<string | undefined>(subscribe, row, () => undefined);
  return useMemo(() => {
    if (text === undefined) return undefined;
    const member: Membership | null = JSON.parse(text);
    const { state, epoch, contributing } = member ?? { state: null, epoch: null, contributing: false };
    const join = () => update((tide) => tide.join(user, community));
    const leave = () => update((tide) => tide.leave(user, community));
    const rejoin = () => update((tide) => tide.rejoin(user, community));
    return { state, epoch, contributing, join, leave, rejoin };
  }, [text, user, community, update]);
}

/** The best items, ranked anew after each change; undefined until the database is open. Keep arrays in the query the same. */
export function useRanking(query: Query): QueryResult | undefined {
  const { subscribe, current } = useContext(Context);
  const view = useSyncExternalStore(subscribe, current, () => CLOSED);
  const { user, community, cohort, candidates, exclude, includeSeen, limit, offset, at, diversity } = query;
  return useMemo(() => {
    const same = { user, community, cohort, candidates, exclude, includeSeen, limit, offset, at, diversity } as Query;
    return view.tide?.query(same);
  }, [view, user, community, cohort, candidates, exclude, includeSeen, limit, offset, at, diversity]);
}

/** Runs calls that change something else, and gives what they give: `update((tide) => tide.signal({ … }))`. */
export const useUpdate = () => useContext(Context).update;
