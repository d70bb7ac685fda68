/** Readers of the console's queries, as descriptions name them. */
export const readers = 'For admins, system managers and the oversight role.';

/** People who may use the console's mutations. */
export const writers = 'For admins and system managers.';
