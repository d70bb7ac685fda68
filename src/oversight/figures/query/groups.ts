import { PIECES } from './groups/pieces.ts';
import { REVENUE } from './groups/revenue.ts';
import { SIZES } from './groups/sizes.ts';
import type { MeasureGroup } from './measure-group.ts';

/** All measures, in groups. Each measure has a name of its own. */
export const GROUPS = {
  revenue: REVENUE,
  pieces: PIECES,
  sizes: SIZES,
} as const satisfies Readonly<Record<string, MeasureGroup>>;

export type GroupName = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as readonly GroupName[];
export const groupOf = (name: GroupName): MeasureGroup => GROUPS[name];

/** The group that each measure belongs to. */
export const GROUP_OF_MEASURE: ReadonlyMap<string, GroupName> = new Map(
  GROUP_NAMES.flatMap((group) => Object.keys(GROUPS[group].measures).map((measure) => [measure, group] as const)),
);
