import { setTimeout as sleep } from 'node:timers/promises';
import { Ground, type Place } from '../torture/run/place.ts';
import { type Point, type Verdict, judge, slopeOf } from './fit.ts';
import { type Load, startLoad } from './load.ts';
import { COLLECTED, MEASURES, type Measure, type Sample, takeSample } from './measures.ts';

interface Options {
  readonly minutes: number;
  /** Between two samples. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Aborted when it is to end early. */
  readonly signal: AbortSignal;
  say(line: string): void;
}

/** The part of a run in which the process warms up: samples of it are left out. */
const WARMTH = 1 / 3;
/** After which nothing is under way any more, long after the load. */
const IDLE_MS = 20_000;

interface Row extends Verdict {
  readonly measure: Measure;
  /** Its value once the load has ended; null for CPU time. */
  readonly idle: number | null;
}

export interface Soaked {
  readonly minutes: number;
  readonly flows: number;
  readonly asked: number;
  readonly hungUp: number;
  readonly streamed: number;
  readonly polled: number;
  readonly samples: number;
  readonly rows: readonly Row[];
  /** Failures, a sentence each. */
  readonly failures: readonly string[];
}

/** Has a rail of its own do the steady mix for some minutes, and judges what grew meanwhile; null where it ended early. */
export async function soak(options: Options): Promise<Soaked | null> {
  const ground = new Ground();
  try {
    const place = await ground.open({ OVERSIGHT: 'on' });
    try {
      await place.start(1, { ...COLLECTED, MAX_IN_FLIGHT: '' });
      return await soakAt(place, options);
    } finally {
      await place.close();
    }
  } finally {
    await ground.close();
  }
}

async function soakAt(place: Place, { minutes, seconds, perSecond, signal, say }: Options): Promise<Soaked | null> {
  const load = await startLoad(place, perSecond);
  const points: Record<Measure, Point[]> = {
    heap: [],
    descriptors: [],
    connections: [],
    places: [],
    waiting: [],
    files: [],
    cpu: [],
  };
  const began = performance.now();
  const minutesNow = () => (performance.now() - began) / 60_000;
  let last: { readonly flows: number; readonly cpuMs: number } | null = null;
  try {
    while (minutesNow() < minutes) {
      await sleep(seconds * 1_000, undefined, { signal });
      const minute = minutesNow();
      const { cpuMs, ...sample } = await takeSample(place);
      const cpu = last && load.flows > last.flows ? (cpuMs - last.cpuMs) / (load.flows - last.flows) : null;
      last = { flows: load.flows, cpuMs };
      say(describe(minute, load, sample, cpu));
      if (minute < minutes * WARMTH) continue;
      for (const measure of Object.keys(sample) as (keyof typeof sample)[])
        points[measure].push({ minute, value: sample[measure] });
      if (cpu !== null) points.cpu.push({ minute, value: cpu });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    say('interrupted');
    return null;
  } finally {
    await load.stop();
  }
  say('idle');
  await sleep(IDLE_MS);
  return judgeAll({ minutes, load, points, idle: await takeSample(place) });
}

/** The progress of a run and its last sample. */
function describe(minute: number, { flows, hungUp }: Load, sample: Omit<Sample, 'cpuMs'>, cpu: number | null): string {
  const seen = Object.entries({ ...sample, ...(cpu !== null && { cpu }) }).map(
    ([measure, value]) => `${measure} ${value.toFixed(0)}`,
  );
  return `${minute.toFixed(1)} min, flows ${flows}, hung up ${hungUp}, ${seen.join(', ')}`;
}

interface Judged {
  readonly minutes: number;
  readonly load: Load;
  readonly points: Readonly<Record<Measure, readonly Point[]>>;
  readonly idle: Sample;
}

/** Judges a run: growth, values that remain after the load, and wrong answers. */
function judgeAll({ minutes, load: { flows, asked, hungUp, streamed, polled, wrong }, points, idle }: Judged): Soaked {
  const rows = (Object.keys(MEASURES) as Measure[]).map((measure) => {
    const { once, perMinute, ofMean } = MEASURES[measure];
    const unit = ofMean ? slopeOf(points[measure]).mean : 1;
    const verdict = judge(points[measure], { once: once * unit, perMinute: perMinute * unit });
    return { measure, ...verdict, idle: measure === 'cpu' ? null : idle[measure] };
  });
  const failures = [
    ...rows
      .filter(({ grows }) => grows)
      .map(({ measure, slope, most }) => {
        const { what, unit } = MEASURES[measure];
        return `${what} grows by ${slope.toFixed(2)} ${unit} a minute, more than ${most.toFixed(2)}`;
      }),
    ...(idle.places > 0 ? [`${idle.places} places are taken when nothing is asked`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} answers are wrong, the first of them: ${wrong[0]}`] : []),
    ...(flows === 0 ? ['no payment came through'] : []),
    ...(streamed === 0 || polled === 0 ? [`${streamed} messages came by streams, and ${polled} by polls`] : []),
  ];
  return { minutes, flows, asked, hungUp, streamed, polled, samples: points.heap.length, rows, failures };
}
