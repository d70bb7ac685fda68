import type { Viewer } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { dayIn } from '../../../kernel/time.ts';
import { calendarLoader } from '../../catalogue/find.ts';
import { dueDayOf } from '../../catalogue/tariff/price.ts';
import { type PricedLine, type PricedService, maySpeakFor } from './pricing.ts';

type Services = ReadonlyMap<string, Pick<PricedService, 'tariff'>>;

/** The day by which each line is to be paid that is assessed on a day, by default that of its agency; null: on any. */
export function dueDaysOf(
  call: Call,
  lines: readonly Pick<PricedLine, 'service' | 'mda'>[],
  services: Services,
  on?: Date | null,
): Promise<(Date | null)[]> {
  return Promise.all(
    lines.map(async ({ service, mda }) => {
      const tariff = services.get(service)?.tariff;
      return tariff?.due ? dueDayOf(tariff, on ?? (await dayAt(call, mda))) : null;
    }),
  );
}

/** The first of days, without those that are open; null if all are. */
export function firstOf(days: readonly (Date | null)[]): Date | null {
  const due = days.flatMap((day) => day ?? []);
  return due.length === 0 ? null : new Date(Math.min(...due.map(Number)));
}

/** The day by which an assessment is to be paid: as its agency states it, or as the tariffs of its lines have it. */
export async function dueOnOf(
  call: Call,
  lines: readonly PricedLine[],
  services: Services,
  statedDate: Date | null,
): Promise<Date | null> {
  return statedDate ?? firstOf(await dueDaysOf(call, lines, services));
}

/** Refuses what is for the agencies of all lines to say, such as a due day, to who does not speak for them. */
export function refuseOthers(viewer: Viewer, lines: readonly { readonly mda: string }[], path: string): void {
  const other = lines.find(({ mda }) => !maySpeakFor(viewer, mda))?.mda;
  if (other !== undefined) throw refuseValue(path, say`is for ${other} to say`);
}

/** The day that it is at an agency, or was at a moment. */
export async function dayAt(call: Call, mda: string, at = call.now()): Promise<Date> {
  const { timeZone } = (await calendarLoader.load(call, mda)) ?? { timeZone: 'UTC' };
  return new Date(dayIn(at, timeZone));
}
