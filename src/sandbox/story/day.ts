import type { Channel } from '../../generated/prisma/enums.ts';
import type { Rail } from '../../platform/call/call.ts';
import { AdapterFailure } from '../../adapters/failure.ts';
import type { Cast, Service } from './cast.ts';
import { type Fate, type Payment, pay } from './pay.ts';
import type { OpenShift } from './shifts.ts';
import { type Lot, eachOf, hourOf } from './stage.ts';

const AT_ONCE = 6;
/** Payments of a usual weekday. */
const USUAL = 32;
/** From Sunday on: quiet at weekends, busy before them. */
const BY_WEEKDAY = [0.15, 1.1, 1, 1, 0.95, 1.2, 0.35];
const MONTH_END = 1.6;

/** When a day is as busy as it gets: more in the morning, and again after lunch; from 7 to 18 by local time. */
const HOURS = [10, 9, 11, 14, 10, 15, 8, 11, 16, 12, 9, 13, 17, 7];

const CHANNELS: readonly Channel[] = ['mtn_momo', 'mtn_momo', 'airtel_money', 'mtn_momo', 'airtel_money', 'card'];

/** A day as it is to be. */
export interface Day {
  readonly day: Date;
  /** Open shifts, of the counters in their order; none where counters are closed. */
  readonly shifts: readonly OpenShift[];
  /** What cannot be reached from morning to noon. */
  readonly outage: Channel | null;
  /** Up to which moment, where the day is not over. */
  readonly until?: Date;
}

/** Whether a day is none of a weekend. */
export const isBusy = (day: Date): boolean => BY_WEEKDAY[day.getUTCDay()]! > 0.5;

/** How many payments a day has. */
function countPayments(day: Date): number {
  const isMonthEnd = new Date(day.getTime() + 3 * 86_400_000).getUTCDate() <= 3;
  return Math.round(USUAL * BY_WEEKDAY[day.getUTCDay()]! * (isMonthEnd ? MONTH_END : 1));
}

/** Has everybody pay who pays on a day. */
export async function tellPayments(rail: Rail, cast: Cast, lot: Lot, day: Day): Promise<number> {
  const count = countPayments(day.day) * (day.until ? 0.5 : 1);
  const payments = Array.from({ length: Math.max(4, Math.ceil(count)) }, () => draw(cast, lot, day));
  // Names, seals and what is live follow the order in which they are made.
  payments.sort((one, other) => one.at.getTime() - other.at.getTime());
  const broken = day.outage && withOutage(rail, day.outage);
  await eachOf(payments, AT_ONCE, async (payment) => {
    const isOut = broken !== null && payment.channel === day.outage && payment.at < hourOf(day.day, 13);
    await pay(isOut ? broken : rail, payment);
  });
  return payments.length;
}

/** A payment by lot: three of ten at a counter. */
function draw(cast: Cast, lot: Lot, { day, shifts, until }: Day): Payment {
  const at = momentOf(lot, day, until);
  const who = { at, citizen: lot.pick(cast.citizens, 1.5), seconds: 8 + Math.floor(170 * lot.draw() ** 3) };
  if (shifts.length > 0 && lot.draw() < 0.3) {
    const { name: shift, clerk: viewer, agency } = lot.pick(shifts, 1.5);
    const lines = linesOf(
      lot,
      cast.services.filter((service) => service.agency === agency),
    );
    const channel = lot.draw() < 0.7 ? 'cash' : 'mtn_momo';
    return { ...who, viewer, shift, lines, channel, fate: 'paid' };
  }
  const integrator = lot.pick(cast.integrators, 1.8);
  const channel = lot.pick(CHANNELS);
  const fate = fateOf(lot.draw(), channel);
  return { ...who, viewer: integrator.viewer, lines: linesOf(lot, cast.services), channel, fate };
}

function fateOf(lot: number, channel: Channel): Fate {
  if (lot < 0.04) return 'left';
  // Of cards the sandbox's aggregator asks for no number, by which it would know what to do.
  if (lot < 0.14 && channel !== 'card') return lot < 0.1 ? 'declined' : 'forgotten';
  return 'paid';
}

function linesOf(lot: Lot, services: readonly Service[]): Payment['lines'] {
  const first = lot.pick(services, 1.7);
  const second = lot.draw() < 0.15 ? lot.pick(services, 1.7) : first;
  return second === first
    ? [{ service: first.id, quantity: lot.draw() < 0.1 ? 4 : 1 }]
    : [{ service: first.id }, { service: second.id }];
}

/** A moment of a day in working hours; of one that is not over, one of its last hours. */
function momentOf(lot: Lot, day: Date, until?: Date): Date {
  if (until) return new Date(until.getTime() - (0.1 + lot.draw() * 2) * 3_600_000);
  return new Date(hourOf(day, lot.pick(HOURS, 1.2) + lot.draw()).getTime());
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
