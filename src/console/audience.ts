/** Whom what the console reads is for, as descriptions say it. */
export const readers = 'For admins, system managers and the oversight role.';

/** Whom what the console changes is for. */
export const writers = 'For admins and system managers.';
