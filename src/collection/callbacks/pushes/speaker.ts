import { IDENTITY_AUTHORITY, kindOf } from '../../../adapters/agencies/kinds.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Pusher, Voice } from '../../../platform/config/pushers.ts';
import { wordOf } from '../../../platform/config/connections.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PushType } from './push-event.ts';

/** The sender of a push, and the objects that it may push about. */
export interface Speaker {
  readonly name: string;
  /** The codes of the agencies whose notices, lines and payments are its own. */
  readonly agencies: readonly string[];
  readonly maySpeakOf: (type: PushType) => boolean;
}

interface Agency {
  readonly name: string;
  readonly mdaType: string;
  readonly country: string;
}

function listAgencies({ db }: Call): Promise<Agency[]> {
  return db.rows<Agency>(sql`select name, mda_type as "mdaType", country from mda order by name`);
}

/**
 * Finds the connection that a word of an address names. In sandbox mode, anybody may push for made-up agencies by their
 * codes; they have no secrets.
 */
export async function findPusher(call: Call, word: string): Promise<Pusher | null> {
  const name = wordOf(word);
  const connected = call.config.pushers.find((pusher) => pusher.name === name);
  if (connected || call.config.mode === 'live') return connected ?? null;
  const agency = (await listAgencies(call)).find(({ name: code }) => wordOf(code) === name);
  return agency ? { name, voice: { of: 'agency', code: agency.name }, secrets: [] } : null;
}

/** Objects that a sender may push about, by the present catalogue. */
export async function readSpeaker(call: Call, { name, voice }: Pusher): Promise<Speaker> {
  const own = (await listAgencies(call)).filter((agency) => isSpokenFor(agency, voice));
  const identity = own.some(({ mdaType }) => kindOf(mdaType) === IDENTITY_AUTHORITY) || isIdentityAuthority(voice);
  return {
    name,
    agencies: own.map((agency) => agency.name),
    maySpeakOf(type) {
      if (voice.of === 'fiscal partner') return type === 'fiscal.document';
      return type !== 'identity.changed' || identity;
    },
  };
}

function isIdentityAuthority(voice: Voice): boolean {
  return voice.of === 'kind' && voice.kind === IDENTITY_AUTHORITY;
}

function isSpokenFor({ name, mdaType, country }: Agency, voice: Voice): boolean {
  switch (voice.of) {
    case 'agency':
      return name === voice.code;
    case 'kind':
      return kindOf(mdaType) === voice.kind && country === voice.country && !voice.except.includes(name);
    case 'fiscal partner':
      return voice.agencies === null ? country === voice.country : voice.agencies.includes(name);
  }
}
