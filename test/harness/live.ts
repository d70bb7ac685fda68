import { loadProfile } from '../../src/collection/catalogue/loading/load.ts';
import { readShippedProfiles } from '../../src/collection/catalogue/loading/profile.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { draftCitizen, storeCitizen } from '../../src/collection/citizens/store.ts';
import { PROVIDERS } from '../../src/adapters/payment/providers.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open-rail.ts';

/** The settings that live mode asks for, beside a database and what is connected. */
export const LIVE = {
  MODE: 'live',
  BASE_URL: 'https://rail.example.org',
  SECRET_KEY: 'a-secret-of-at-least-32-characters',
  SMTP_URL: 'none',
  EMBEDDED_POSTGRES: 'on',
  ...Object.fromEntries(PROVIDERS.map(({ name }) => [`WEBHOOK_SECRET_${name.toUpperCase()}`, `callbacks-of-${name}`])),
};

/**
 * Fills a new database as operators do before a live rail opens: with the catalogue, and the first citizen of the
 * registry.
 */
export async function fillLive(url: string): Promise<void> {
  const { rail, close } = await openRail(readConfig({ ...LIVE, DATABASE_URL: url }), createLog('silent'));
  try {
    const call = callOf(rail, commandLine, 'fill');
    for (const profile of readShippedProfiles()) await rail.transaction((db) => loadProfile({ ...call, db }, profile));
    await storeCitizen(
      call,
      await draftCitizen(call, {
        kind: 'person',
        nin: 'CF93042100ABCD',
        fullName: 'Nakato Ruth',
        phone: '+256772000001',
        language: null,
        verified: true,
      }),
    );
  } finally {
    await close();
  }
}
