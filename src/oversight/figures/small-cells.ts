/** Figures about fewer people than this are not told: figures about few people are figures about people. */
export const FEWEST_PEOPLE = 5;

/** When figures about people move. */
export const IN_STEPS = `A change counts once the same has happened to ${FEWEST_PEOPLE} people or more; what fewer share is left out.`;

/** What every description of such figures ends with. */
export const WHOLE_MONTHS = `The period is widened to whole months; months with fewer than ${FEWEST_PEOPLE} people are excluded from every figure, and so is each status of fewer in a month. Null if nothing remains. ${IN_STEPS}`;

export interface Cell {
  readonly people: number;
}

/**
 * Which parts of a whole are left out, given that the whole is told: those about few people and, where these together
 * are about few, the smallest others until they are not. So neither a part nor what the others lack to the whole is
 * about few.
 */
export function findTooSmall<C extends Cell>(parts: readonly C[]): ReadonlySet<C> {
  const hidden = new Set(parts.filter(({ people }) => people < FEWEST_PEOPLE));
  let people = [...hidden].reduce((sum, part) => sum + part.people, 0);
  for (const part of parts.toSorted((a, b) => a.people - b.people)) {
    if (people === 0 || people >= FEWEST_PEOPLE) break;
    if (hidden.has(part)) continue;
    hidden.add(part);
    people += part.people;
  }
  return hidden;
}
