// The machine's three views, one at a time.
import type { ComponentType } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Device } from "../device.ts";
import { Events } from "./events.tsx";
import { ProfileView } from "./profile-view.tsx";
import { YourData } from "./your-data.tsx";

interface View {
  id: string;
  name: string;
  Content: ComponentType<{ device: Device }>;
}

const VIEWS: readonly [View, ...View[]] = [
  { id: "events", name: "Events", Content: Events },
  { id: "profile", name: "Profile", Content: ProfileView },
  { id: "data", name: "Your data", Content: YourData },
];
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export function MachineTabs({ device }: { device: Device }) {
  const [shown, show] = useState<View>(VIEWS[0]);
  const tabs = useRef<HTMLDivElement>(null);
  const { Content } = shown;
  const turn = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const place = (VIEWS.indexOf(shown) + step + VIEWS.length) % VIEWS.length;
    show(VIEWS[place] ?? VIEWS[0]);
    tabs.current?.querySelectorAll("button")[place]?.focus();
  };
  return (
    <section class="panel views" aria-label="Inside the machine">
      <div class="tabs" role="tablist" aria-label="Views" ref={tabs} onKeyDown={turn}>
        {VIEWS.map((view) => (
          <button
            key={view.id}
            type="button"
            role="tab"
            id={`tab-${view.id}`}
            aria-selected={view === shown}
            aria-controls="view"
            tabIndex={view === shown ? 0 : -1}
            onClick={() => show(view)}
          >
            {view.name}
          </button>
        ))}
      </div>
      <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${shown.id}`}>
        <Content device={device} />
      </div>
    </section>
  );
}
