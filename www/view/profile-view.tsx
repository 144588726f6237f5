// What this device has learned of the person, as bars. It leaves the device in no case.
import type { Device } from "../device.ts";
import { decimal } from "../words.ts";

/** How many of each are shown. */
const TOP = 6;

export function ProfileView({ device }: { device: Device }) {
  const { signals, seen, hidden, categories, creators, items } = device.profile;
  const films = items.map(({ id, score }) => ({ name: device.films.get(id)?.title ?? id, score }));
  return (
    <>
      <p>
        {signals === 1 ? "1 signal" : `${signals} signals`}, {seen} seen, {hidden.length} hidden. Member or not, the
        device learns the same, and none of this leaves it.
      </p>
      <Bars title="Genres" rows={categories} />
      <Bars title="Directors" rows={creators.map(({ id, score }) => ({ name: id, score }))} />
      <Bars title="Films" rows={films} />
    </>
  );
}

function Bars({ title, rows }: { title: string; rows: readonly { name: string; score: number }[] }) {
  const shown = rows.filter(({ score }) => Math.abs(score) >= 0.05).slice(0, TOP);
  const most = Math.max(...shown.map(({ score }) => Math.abs(score)), 1);
  return (
    <section class="bars">
      <h3>{title}</h3>
      {shown.length === 0 && <p class="quiet">Nothing yet.</p>}
      <dl>
        {shown.map(({ name, score }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{decimal(score, 1)}</dd>
            <svg width="100%" height="6" aria-hidden="true">
              <rect
                class={score < 0 ? "bar bar-against" : "bar"}
                width={`${(Math.abs(score) / most) * 100}%`}
                height="6"
                rx="3"
              />
            </svg>
          </div>
        ))}
      </dl>
    </section>
  );
}
