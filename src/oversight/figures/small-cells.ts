/** Figures about fewer people than this are not told: figures about few people are figures about people. */
export const FEWEST_PEOPLE = 5;

/** When figures about people move. */
export const IN_STEPS = `A change counts once the same has happened to ${FEWEST_PEOPLE} people or more; what fewer share is left out.`;

/** What every description of such figures ends with. */
export const WHOLE_MONTHS = `The period is widened to whole months; months with fewer than ${FEWEST_PEOPLE} people are excluded from every figure, and so is each status of fewer in a month. Null if nothing remains. ${IN_STEPS}`;
