import { useState } from "react";
import { community, film, prepare } from "./films";
import { TidegateProvider, useMembership, useRanking, useUpdate } from "./tidegate-react";

const options = { name: "film-club" };

export function App() {
  const [user, setUser] = useState("ada");
  return (
    <TidegateProvider options={options} prepare={prepare}>
      <header>
        <h1>Film club</h1>
        <label>
          You are{" "}
          <select value={user} onChange={(event) => setUser(event.target.value)}>
            <option value="ada">Ada</option>
            <option value="ben">Ben</option>
          </select>
        </label>
      </header>
      <Club user={user} />
      <Films user={user} />
    </TidegateProvider>
  );
}

function Club({ user }: { user: string }) {
  const club = useMembership(user, community);
  if (club === undefined) return <section aria-busy="true">Opening …</section>;
  const { state, epoch, contributing, join, leave, rejoin } = club;
  const action = state === null ? "Join" : contributing ? "Leave" : "Rejoin";
  const act = { Join: join, Leave: leave, Rejoin: rejoin }[action];
  return (
    <section data-contributing={contributing}>
      <p>
        <strong>{{ Join: "Not a member", Leave: "Member", Rejoin: "Left" }[action]}</strong>{" "}
        {epoch !== null && <small>epoch {epoch}</small>}
        <br />
        {contributing ? "What you like counts in the club, too." : "What you like stays with you."}
      </p>
      <button type="button" onClick={act}>
        {action}
      </button>
    </section>
  );
}

function Films({ user }: { user: string }) {
  const ranking = useRanking({ user, community, includeSeen: true });
  const update = useUpdate();
  const [outcome, setOutcome] = useState("Like or skip a film.");
  if (ranking === undefined) return null;
  return (
    <main>
      <output>{outcome}</output>
      <ol>
        {ranking.items.map(({ id, local, community: club }) => {
          const { title, categories } = film(id);
          const signal = (kind: string) =>
            setOutcome(`${title}: ${update((tide) => tide.signal({ user, item: id, kind, community }))}`);
          return (
            <li key={id}>
              <div>
                {title} <small>{categories.join(", ")}</small>
                <small>
                  you {part(local)} · club {part(club)}
                </small>
              </div>
              <button type="button" aria-label={`Like ${title}`} onClick={() => signal("like")}>
                Like
              </button>
              <button type="button" aria-label={`Skip ${title}`} onClick={() => signal("skip")}>
                Skip
              </button>
            </li>
          );
        })}
      </ol>
    </main>
  );
}

const part = (score: number) => (score < 0 ? "−" : "+") + Math.abs(score).toFixed(2);
