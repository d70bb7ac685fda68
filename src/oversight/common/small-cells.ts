/** Figures about fewer people than this are not disclosed: figures about few people are figures about people. */
export const FEWEST_PEOPLE = 5;

/** Rule by which figures about people move. */
export const IN_STEPS = `A change counts once the same has happened to ${FEWEST_PEOPLE} people or more; what fewer share is left out.`;
