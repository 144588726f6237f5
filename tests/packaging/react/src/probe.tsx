// The recipe by itself, in strict mode, mounted and unmounted as the test says; what its hooks give is noted.
import { Activity, Component, type ReactNode, StrictMode, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import type { OpenOptions, QueryResult } from "tidegate";
import { TidegateProvider, useMembership, useRanking, useUpdate } from "./tidegate-react";

type Club = NonNullable<ReturnType<typeof useMembership>>;
const page = {
  club: undefined as Club | undefined,
  rankings: new Set<QueryResult>(),
  clubs: new Set<Club>(),
  update: undefined as ReturnType<typeof useUpdate> | undefined,
  again: () => {},
  failure: "",
};

function Membership() {
  const club = useMembership("ada", "film-club");
  page.club = club;
  if (club !== undefined) page.clubs.add(club);
  return club === undefined ? "opening" : `${club.state} ${club.epoch} ${club.contributing}`;
}

function Ranking() {
  // The same query in another object each time.
  const ranking = useRanking({ user: "ada", community: "film-club", includeSeen: true });
  const [, setTurn] = useState(0);
  page.update = useUpdate();
  page.again = () => setTurn((turn) => turn + 1);
  if (ranking !== undefined) page.rankings.add(ranking);
  return ranking?.items.map(({ id }) => id).join(" ");
}

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: Error & { code?: string }) {
    page.failure = error.code ?? String(error);
  }
  override render() {
    return this.state.failed ? "failed" : this.props.children;
  }
}

function tree(options: OpenOptions, mode: "visible" | "hidden") {
  return (
    <StrictMode>
      <output>
        <Boundary>
          <Activity mode={mode}>
            <TidegateProvider options={options} prepare={(tide) => tide.upsertItems([{ id: "alien" }, { id: "heat" }])}>
              <Membership /> <Ranking />
            </TidegateProvider>
          </Activity>
        </Boundary>
      </output>
    </StrictMode>
  );
}

let root: Root | undefined;
let shown: { name?: string; signals?: OpenOptions["signals"] } = {};
const reported: string[] = [];

function render(mode: "visible" | "hidden") {
  const options = { ...shown, onError: ({ code }: { code: string }) => reported.push(code) };
  flushSync(() => root?.render(tree(options as OpenOptions, mode)));
}

const probe = {
  mount(options: typeof shown = {}) {
    shown = { name: "probe", ...options };
    page.failure = "";
    root = createRoot(document.getElementById("root") as HTMLElement, { onCaughtError: () => {} });
    render("visible");
  },
  unmount() {
    root?.unmount();
    root = undefined;
  },
  /** All in one go. */
  remount(times = 1) {
    for (let time = 0; time < times; time++) {
      probe.unmount();
      probe.mount();
    }
  },
  hide: () => render("hidden"),
  show: () => render("visible"),
  join: () => page.club?.join(),
  like: (item: string) =>
    page.update?.((tide) => tide.signal({ user: "ada", item, kind: "like", community: "film-club" })),
  /** Renders again with nothing changed. */
  again: () => flushSync(() => page.again()),
  /** How many different answers the hooks have given. */
  answers: () => ({ clubs: page.clubs.size, rankings: page.rankings.size }),
  failure: () => page.failure,
  /** Codes that `onError` was told. */
  reported: () => reported,
};
Object.assign(globalThis, { probe });
