import { existsSync, readFileSync } from 'node:fs';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { Language } from '../../languages/language.ts';
import { type Guide, makeGuide } from './markdown.ts';

const FOLDER = new URL('../../../../docs/tasks/', import.meta.url);

/** Tasks of the documentation: by role, each with the pages where it is done. */
export const TASKS = {
  'open-a-shift': { role: 'counter', at: /^\/counter$/ },
  'take-a-payment': { role: 'counter', at: /^\/counter\/(shifts\/[^/]+(\/(people|basket)(\/.*)?)?|assessments\/.*)$/ },
  'close-with-a-difference': { role: 'counter', at: /^\/counter\/shifts\/[^/]+\/closed?$/ },
  'paid-twice': { role: 'counter', at: /^\/(counter\/(payments|slips)|console\/(payments|assessments))(\/.*)?$/ },
  'cancel-or-reverse': { role: 'counter', at: /^\/(work\/assessments|counter\/refunds|console\/refunds)(\/.*)?$/ },
  'find-anything': { role: 'staff', at: /^\/work\/find$/ },
  'secure-your-account': { role: 'staff', at: /^\/work\/account(\/.*)?$/ },
  'decide-on-a-difference': { role: 'supervisors', at: /^\/supervision(\/.*)?$/ },
  'the-day-of-an-agency': { role: 'agencies', at: /^\/agency(\/.*)?$/ },
  'manage-your-keys': { role: 'integrators', at: /^\/dashboard(\/(keys|live|profile|events|sandbox)(\/.*)?)?$/ },
  'a-request-fails': { role: 'integrators', at: /^\/dashboard\/(requests|usage|payments|assessments)(\/.*)?$/ },
  'webhook-fails': { role: 'integrators', at: /^\/(dashboard|console)\/(webhooks|deliveries)(\/.*)?$/ },
  'an-outage': { role: 'operators', at: /^\/console(\/(endpoints|notices|messages|propagations|callbacks)(\/.*)?)?$/ },
  'work-through-anomalies': { role: 'operators', at: /^\/(console\/(anomalies|alerts)|oversight\/anomalies)(\/.*)?$/ },
  'compare-a-statement': { role: 'operators', at: /^\/console\/(reconciliation|money|settlement)(\/.*)?$/ },
  'change-a-fee': { role: 'operators', at: /^\/console\/(services|agencies|catalogue)(\/.*)?$/ },
  'give-somebody-access': { role: 'operators', at: /^\/console\/(staff|sessions|approvals)(\/.*)?$/ },
  'let-an-integrator-go-live': {
    role: 'operators',
    at: /^\/console\/(integrators|live-requests|keys|agency-keys)(\/.*)?$/,
  },
  'explain-a-change': { role: 'analysts', at: /^\/oversight(\/why)?$/ },
  'answer-a-question': {
    role: 'analysts',
    at: /^\/oversight\/(channels|collections|counters|settlement|explore|questions|live)(\/.*)?$/,
  },
  'have-figures-mailed': { role: 'analysts', at: /^\/figures\/(views|charts)(\/.*)?$/ },
  'prove-the-records': {
    role: 'auditors',
    at: /^\/(oversight\/(seals|verify)|console\/(audit|citizen-access))(\/.*)?$/,
  },
} as const satisfies Readonly<Record<string, { readonly role: string; readonly at: RegExp }>>;

type Task = keyof typeof TASKS;

/** Their names, in their order. */
export const TASK_NAMES = Object.keys(TASKS) as readonly Task[];

/** The same by the role that does them. */
export const TASKS_BY_ROLE = [...Map.groupBy(TASK_NAMES, (name) => TASKS[name].role)];

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
