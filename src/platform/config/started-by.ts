/** True if npm started this process: a server that was built for images or systemd has none. */
export const BY_NPM = process.env['npm_lifecycle_event'] !== undefined;

/** Name of the program that runs commands, for messages. */
export const ADMIN = BY_NPM ? 'npm run admin --' : 'admin';
