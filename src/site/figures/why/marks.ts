import type { Mark } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { dayIn } from '../../../kernel/time.ts';

/** What happened that can have moved revenue. */
export interface Happened {
  readonly anomalies: {
    readonly nodes: readonly {
      readonly kind: string;
      readonly raisedAt: string;
      readonly agency: { readonly name: string; readonly timeZone: string } | null;
    }[];
  } | null;
  readonly fees: {
    readonly nodes: readonly {
      readonly serviceId: string;
      readonly serviceName: string;
      readonly feeAmount: number;
      readonly currency: string;
      readonly from: string;
      readonly agency: { readonly timeZone: string };
    }[];
  } | null;
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

interface Reader {
  readonly texts: Texts;
  readonly timeZone: string;
  /** The agency that it is about; null for all. */
  readonly agency: string | null;
  /** The country that it is about; null for all. */
  readonly country: string | null;
}

/** Which agency and country the address of a page names. */
export function whereOf(
  query: URLSearchParams,
  agencies: readonly { readonly id: string; readonly country: string }[],
): Pick<Reader, 'agency' | 'country'> {
  const agency = query.get('agency');
  return { agency, country: agencies.find(({ id }) => id === agency)?.country ?? query.get('country') };
}

/** Outages, notices, holidays, changes of fees and anomalies, by the days on which they were; each kind of anomaly of a day once. */
export function marksOf(
  { anomalies, fees, health, holidays }: Happened,
  days: readonly string[],
  reader: Reader,
): Mark[] {
  const { texts, timeZone, agency, country } = reader;
  const { t } = texts;
  const found = new Map<string, Set<string>>(days.map((day) => [day, new Set()]));
  const note = (day: string, text: string) => found.get(day)?.add(text);
  for (const { channel, days: strip } of health?.channels ?? [])
    for (const one of strip)
      if (one.health === 'down' || one.health === 'degraded')
        note(one.day, t(`why.${one.health}`, { channel: t(`channel.${channel}`) }));
  for (const { title, startedAt, agencyIds } of health?.incidents ?? [])
    if (agency === null || agencyIds.length === 0 || agencyIds.includes(agency))
      note(dayIn(new Date(startedAt), timeZone), title);
  for (const day of days)
    for (const holiday of holidays ?? [])
      if ((country === null || country === holiday.country) && day.endsWith(holiday.day)) note(day, holiday.name);
  // The first fee of a service is no change; they come with the latest first.
  const list = fees?.nodes ?? [];
  for (const [index, fee] of list.entries()) {
    const former = list.slice(index + 1).find(({ serviceId }) => serviceId === fee.serviceId);
    if (!former) continue;
    const [from, to] = [former, fee].map(({ feeAmount, currency }) => texts.money(feeAmount, currency));
    note(dayIn(new Date(fee.from), fee.agency.timeZone), t('why.fee', { service: fee.serviceName, from, to }));
  }
  for (const { kind, raisedAt, agency: whose } of anomalies?.nodes ?? [])
    note(dayIn(new Date(raisedAt), whose?.timeZone ?? timeZone), t(`anomaly.${kind}`));
  return days.flatMap((day, at) => {
    const said = [...found.get(day)!];
    return said.length > 0 ? [{ at, text: said.join('; ') }] : [];
  });
}
