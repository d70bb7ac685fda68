import type { Mark } from '../../charts/chart.ts';
import { dayIn } from '../../../kernel/time.ts';
import type { Asked, Nodes } from '../panel.ts';

/** Events that can have moved revenue. */
export interface Happened {
  readonly anomalies: Nodes<{
    readonly kind: string;
    readonly raisedAt: string;
    readonly agency: { readonly timeZone: string } | null;
  }> | null;
  readonly fees: Nodes<{
    readonly serviceId: string;
    readonly serviceName: string;
    readonly feeAmount: number;
    readonly currency: string;
    readonly from: string;
    readonly agency: { readonly timeZone: string };
  }> | null;
  readonly health: {
    readonly channels: readonly {
      readonly channel: string;
      readonly days: readonly { readonly day: string; readonly health: string }[];
    }[];
    readonly incidents: readonly {
      readonly title: string;
      readonly startedAt: string;
      readonly agencyIds: readonly string[];
    }[];
  } | null;
  readonly holidays: readonly { readonly country: string; readonly day: string; readonly name: string }[] | null;
}

/** Successive days on which a channel failed alike, each as one. */
function runsOf(strip: readonly { readonly day: string; readonly health: string }[]) {
  const runs: { readonly health: string; readonly from: string; to: string }[] = [];
  for (const [place, { day, health }] of strip.entries())
    if (health === strip[place - 1]?.health) runs.at(-1)!.to = day;
    else runs.push({ health, from: day, to: day });
  return runs.filter(({ health }) => health === 'down' || health === 'degraded');
}

/** Outages, notices, holidays, changes of fees and anomalies, by the days on which they were; each kind of anomaly of a day once. */
export function marksOf(
  { anomalies, fees, health, holidays }: Happened,
  days: readonly string[],
  { texts, timeZone, query, agencies }: Omit<Asked, 'today'>,
): Mark[] {
  const { t } = texts;
  const agency = query.get('agency');
  const country = agencies.find(({ id }) => id === agency)?.country ?? query.get('country');
  const found = new Map<string, Set<string>>(days.map((day) => [day, new Set()]));
  const note = (day: string, say: () => string) => found.get(day)?.add(say());
  for (const { channel, days: strip } of health?.channels ?? [])
    for (const { health: how, from, to } of runsOf(strip.filter(({ day }) => found.has(day)))) {
      const what = t(`why.${how}`, { channel: t(`channel.${channel}`) });
      note(from, () => (from === to ? what : t('why.until', { what, day: texts.date(to) })));
    }
  for (const { title, startedAt, agencyIds } of health?.incidents ?? [])
    if (agency === null || agencyIds.length === 0 || agencyIds.includes(agency))
      note(dayIn(new Date(startedAt), timeZone), () => title);
  for (const day of days)
    for (const holiday of holidays ?? [])
      if ((country === null || country === holiday.country) && day.endsWith(holiday.day)) note(day, () => holiday.name);
  // The first fee of a service is no change; they come with the latest first.
  const list = fees?.nodes ?? [];
  for (const [index, fee] of list.entries()) {
    const day = dayIn(new Date(fee.from), fee.agency.timeZone);
    const former = found.has(day) && list.find(({ serviceId }, at) => at > index && serviceId === fee.serviceId);
    if (!former) continue;
    const [from, to] = [former, fee].map(({ feeAmount, currency }) => texts.money(feeAmount, currency));
    note(day, () => t('why.fee', { service: fee.serviceName, from, to }));
  }
  for (const { kind, raisedAt, agency: whose } of anomalies?.nodes ?? [])
    note(dayIn(new Date(raisedAt), whose?.timeZone ?? timeZone), () => t(`anomaly.${kind}`));
  return days.flatMap((day, at) => {
    const said = [...found.get(day)!];
    return said.length > 0 ? [{ at, text: said.join('; ') }] : [];
  });
}
