import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Slice, type SliceName, namedIn } from './query/slice.ts';
import { type AskedSpan, findDays } from './query/span.ts';
import type { TimeZone } from '../common/span.ts';
import { say } from '../../kernel/text/said.ts';

/** Arguments of an `oversight`, which hold for everything under it. */
export interface Held {
  readonly span?: AskedSpan | null | undefined;
  readonly slice?: Slice | null | undefined;
  readonly timeZone?: TimeZone | null | undefined;
}

interface Days {
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly timeZone?: TimeZone | null | undefined;
}

/** The days of a field: its own; without any, those that its `oversight` holds; without these, what it takes itself. */
export async function holdDays<Args extends Days>(call: Call, held: Held, args: Args) {
  const timeZone = args.timeZone ?? held.timeZone ?? 'country';
  if (args.fromDate || args.toDate || !held.span) return { ...args, timeZone };
  const { from: fromDate, to: toDate } = await findDays(call, held.span, timeZone, held.slice ?? {});
  return { ...args, timeZone, fromDate, toDate };
}

/** The arguments of a list that are members of a slice, by these. */
type Kept<Args> = { readonly [Name in SliceName]?: keyof Args };

/** The arguments of a list within the slice that its `oversight` holds. Refuses members that the list does not keep. */
export function holdSlice<Args extends object>({ slice }: Held, args: Args, kept: Kept<Args>): Args {
  if (!slice) return args;
  if (slice.not)
    throw refuseValue('slice.not', say`holds for figures alone: ask for lists in an \`oversight\` without it`);
  const both = namedIn(slice).map((name) => {
    const argument = kept[name];
    if (argument === undefined)
      throw refuseValue(`slice.${name}`, say`is not kept by this field: ask for it in an \`oversight\` without it`);
    const own = args[argument] as readonly string[] | null | undefined;
    return [argument, own ? own.filter((value) => slice[name]!.includes(value)) : slice[name]!];
  });
  return { ...args, ...Object.fromEntries(both) };
}
