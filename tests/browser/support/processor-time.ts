// A browser's trace on the clock of the processor: what other programs of the machine do meanwhile no longer counts.

/** What is used of an event of Chromium's trace; times are microseconds. */
export interface TraceEvent {
  name: string;
  /** "X" is an event with a duration. */
  ph: string;
  pid: number;
  tid: number;
  /** When it began. */
  ts: number;
  dur?: number;
  /** The processor time of its thread meanwhile. */
  tdur?: number;
}

interface Task {
  begin: number;
  end: number;
  /** The share of its time in which it had a processor. */
  share: number;
}

/**
 * Shortens each task of each thread to the processor time that it took, and all that happens in it alike; a task begins when it
 * began. So nothing changes its order, and a thread is as busy as on a machine that has nothing else to do.
 */
export function onProcessorTime<Event extends TraceEvent>(events: readonly Event[]): Event[] {
  const threads = new Map<string, Task[]>();
  for (const event of events) {
    const { name, ph, ts, dur = 0, tdur = dur } = event;
    if (name !== "RunTask" || ph !== "X" || dur === 0) continue;
    const tasks = threads.get(threadOf(event)) ?? [];
    tasks.push({ begin: ts, end: ts + dur, share: Math.min(tdur / dur, 1) });
    threads.set(threadOf(event), tasks);
  }
  for (const tasks of threads.values()) tasks.sort((a, b) => a.begin - b.begin);
  return events.map((event) => {
    const task = lastBefore(threads.get(threadOf(event)) ?? [], event.ts);
    if (task === undefined || event.ts >= task.end) return event;
    const moved = { ...event, ts: task.begin + (event.ts - task.begin) * task.share };
    return event.dur === undefined ? moved : { ...moved, dur: event.dur * task.share };
  });
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

/** The last task that began by then. */
function lastBefore(tasks: readonly Task[], time: number): Task | undefined {
  let [low, high] = [0, tasks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tasks[middle]?.begin ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return tasks[low - 1];
}
