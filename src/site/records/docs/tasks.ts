import { existsSync, readFileSync } from 'node:fs';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { Language } from '../../languages/language.ts';
import { type Guide, makeGuide } from './guides.ts';

const FOLDER = new URL('../../../../docs/tasks/', import.meta.url);

/** What somebody wants to get done, as pages of the documentation: by role, each with the pages where it is done. */
export const TASKS = {
  'open-a-shift': { role: 'counter', at: /^\/counter(\/shifts\/[^/]+)?$/ },
  'close-with-a-difference': { role: 'counter', at: /^\/counter\/shifts\/[^/]+\/closed?$/ },
  'decide-on-a-difference': { role: 'supervisors', at: /^\/supervision(\/.*)?$/ },
  'paid-twice': { role: 'counter', at: /^\/(counter\/(assessments|payments|slips)|console\/payments)(\/.*)?$/ },
  'webhook-fails': { role: 'integrators', at: /^\/(dashboard|console)\/(webhooks|deliveries)(\/.*)?$/ },
  'an-outage': { role: 'operators', at: /^\/console(\/(endpoints|notices|propagations)(\/.*)?)?$/ },
  'explain-a-change': { role: 'analysts', at: /^\/oversight(\/why)?$/ },
  'prove-the-records': { role: 'auditors', at: /^\/(oversight\/seals|console\/(audit|citizen-access))(\/.*)?$/ },
  'the-day-of-an-agency': { role: 'agencies', at: /^\/agency(\/.*)?$/ },
} as const satisfies Readonly<Record<string, { readonly role: string; readonly at: RegExp }>>;

type Task = keyof typeof TASKS;

/** Their names, in their order. */
export const TASK_NAMES = Object.keys(TASKS) as readonly Task[];

const isTask = (name: unknown): name is Task => typeof name === 'string' && Object.hasOwn(TASKS, name);

const fileOf = (task: Task, language: Language) => new URL(`${language}/${task}.md`, FOLDER);

const made = new Map<string, Guide>();

/** A task in the language of its reader, or in English where that is all there is. */
export function getTask(name: unknown, reads: Language): Guide & { readonly language: Language } {
  if (!isTask(name)) throw new Refusal('not_found', say`There is no page at this address`);
  const language = existsSync(fileOf(name, reads)) ? reads : 'en';
  const key = `${language}/${name}`;
  const guide = made.get(key) ?? makeGuide(readFileSync(fileOf(name, language), 'utf8'));
  made.set(key, guide);
  return { ...guide, language };
}

/** The task that is done at an address; null where there is none. */
export function taskAt(address: string): Task | null {
  const [path = ''] = address.split('?');
  return TASK_NAMES.find((name) => TASKS[name].at.test(path)) ?? null;
}
