/** Whether npm started this process: a server that was built for images or systemd has none. */
export const BY_NPM = process.env['npm_lifecycle_event'] !== undefined;

/** What messages call the program that runs commands. */
export const ADMIN = BY_NPM ? 'npm run admin --' : 'admin';
