/** Figures about fewer people than this are not told: figures about few people are figures about people. */
export const FEWEST_PEOPLE = 5;

/** What every description of such figures ends with. */
export const WHOLE_MONTHS = `The period is widened to whole months; months with fewer than ${FEWEST_PEOPLE} people are excluded from every figure. Null if no month remains.`;
