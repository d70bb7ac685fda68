import type { Channel } from '../../generated/prisma/enums.ts';
import type { Rail } from '../../platform/call/call.ts';
import { AdapterFailure } from '../../adapters/failure.ts';
import type { Cast, Service } from './cast.ts';
import { type Fate, type Payment, pay } from './pay.ts';
import type { OpenShift } from './shifts.ts';
import { type Random, eachOf, hourOf } from './stage.ts';

const AT_ONCE = 6;
/** Payments of an average weekday. */
const PAYMENTS_A_DAY = 32;
/** From Sunday on: quiet at weekends, busy before them. */
const BY_WEEKDAY = [0.15, 1.1, 1, 1, 0.95, 1.2, 0.35];
const MONTH_END = 1.6;

/** Hours of a busy day: more in the morning, and again after lunch; from 7 to 18 by local time. */
const HOURS = [10, 9, 11, 14, 10, 15, 8, 11, 16, 12, 9, 13, 17, 7];

const CHANNELS: readonly Channel[] = ['mtn_momo', 'mtn_momo', 'airtel_money', 'mtn_momo', 'airtel_money', 'card'];

/** A day as it is to be. */
export interface Day {
  readonly day: Date;
  /** Open shifts, of the counters in their order; none where counters are closed. */
  readonly shifts: readonly OpenShift[];
  /** Channel that cannot be reached from morning to noon. */
  readonly outage: Channel | null;
  /** Up to which moment, where the day is not over. */
  readonly until?: Date;
}

/** True if a day is none of a weekend. */
export const isBusy = (day: Date): boolean => BY_WEEKDAY[day.getUTCDay()]! > 0.5;

/** Number of a day's payments. */
function countPayments(day: Date): number {
  const isMonthEnd = new Date(day.getTime() + 3 * 86_400_000).getUTCDate() <= 3;
  return Math.round(PAYMENTS_A_DAY * BY_WEEKDAY[day.getUTCDay()]! * (isMonthEnd ? MONTH_END : 1));
}

/** Has everybody pay who pays on a day. */
export async function makePayments(rail: Rail, cast: Cast, random: Random, day: Day): Promise<number> {
  const count = countPayments(day.day) * (day.until ? 0.5 : 1);
  const payments = Array.from({ length: Math.max(4, Math.ceil(count)) }, () => draw(cast, random, day));
  // Names, seals and what is live follow the order in which they are made.
  payments.sort((one, other) => one.at.getTime() - other.at.getTime());
  const broken = day.outage && withOutage(rail, day.outage);
  await eachOf(payments, AT_ONCE, async (payment) => {
    const isOut = broken !== null && payment.channel === day.outage && payment.at < hourOf(day.day, 13);
    await pay(isOut ? broken : rail, payment);
  });
  return payments.length;
}

/** A random payment: three of ten at a counter. */
function draw(cast: Cast, random: Random, { day, shifts, until }: Day): Payment {
  const at = momentOf(random, day, until);
  const who = { at, citizen: random.pick(cast.citizens, 1.5), seconds: 8 + Math.floor(170 * random.draw() ** 3) };
  if (shifts.length > 0 && random.draw() < 0.3) {
    const { name: shift, clerk: viewer, agency } = random.pick(shifts, 1.5);
    const lines = linesOf(
      random,
      cast.services.filter((service) => service.agency === agency),
    );
    const channel = random.draw() < 0.7 ? 'cash' : 'mtn_momo';
    return { ...who, viewer, shift, lines, channel, fate: 'paid' };
  }
  const integrator = random.pick(cast.integrators, 1.8);
  const channel = random.pick(CHANNELS);
  const fate = fateOf(random.draw(), channel);
  return { ...who, viewer: integrator.viewer, lines: linesOf(random, cast.services), channel, fate };
}

function fateOf(random: number, channel: Channel): Fate {
  if (random < 0.04) return 'left';
  // The sandbox's aggregator asks for no number of a card payment, by which it would know what to do.
  if (random < 0.14 && channel !== 'card') return random < 0.1 ? 'declined' : 'forgotten';
  return 'paid';
}

function linesOf(random: Random, services: readonly Service[]): Payment['lines'] {
  const first = random.pick(services, 1.7);
  const second = random.draw() < 0.15 ? random.pick(services, 1.7) : first;
  return second === first
    ? [{ service: first.id, quantity: random.draw() < 0.1 ? 4 : 1 }]
    : [{ service: first.id }, { service: second.id }];
}

/** A moment of a day in working hours; of one that is not over, one of its last hours. */
function momentOf(random: Random, day: Date, until?: Date): Date {
  if (until) return new Date(until.getTime() - (0.1 + random.draw() * 2) * 3_600_000);
  return new Date(hourOf(day, random.pick(HOURS, 1.2) + random.draw()).getTime());
}

/** A rail that cannot reach the aggregators of a channel. */
function withOutage(rail: Rail, channel: Channel): Rail {
  const aggregators = new Map(
    [...rail.aggregators].map(([name, aggregator]) => {
      if (aggregator.channel !== channel) return [name, aggregator] as const;
      const initiate = async (): Promise<never> => {
        throw new AdapterFailure(name, 'unavailable', `${name} cannot be reached`);
      };
      return [name, { ...aggregator, adapter: { ...aggregator.adapter, initiate } }] as const;
    }),
  );
  return { ...rail, aggregators };
}
