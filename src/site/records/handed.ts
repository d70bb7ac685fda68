import type { Need } from '../../platform/access/needs.ts';
import type { Texts } from '../languages/texts.ts';
import { choicesAmong } from '../languages/choices.ts';
import { translate } from '../languages/said.ts';
import { type Tariff } from '../../collection/catalogue/tariff/tariff.ts';
import { describeTariff } from '../../collection/catalogue/tariff/words.ts';
import { listAdvice } from './advice.ts';
import { AUDIT_ACTIONS } from './audit-actions.ts';
import { listEvidence } from './evidence.ts';
import { firstCalls } from './first-calls.ts';
import { GUIDES } from './docs/files.ts';
import { getGuide } from './docs/guides.ts';
import { fillIn, isLesson } from './docs/lessons.ts';
import { overallHealth, sumUpHealth } from './health.ts';
import { listHistory } from './history.ts';
import { linkToRecord, linkToFound } from './links.ts';
import { drawStates } from './states.ts';
import { showText } from './reference/text.ts';
import { TASKS_BY_ROLE, getTask, taskAt } from './docs/tasks.ts';

type Drawn = Parameters<typeof drawStates>;
type Happened = Omit<Parameters<typeof listHistory>[0], 'nameOf' | 'translate'>;

/** Values for templates that show records, days and guides: in a language, by the clock of a link, for a reader. */
export function recordsFor(texts: Texts, timeZone: string, may: (need: Need) => boolean) {
  const link = (id: unknown) => linkToRecord(id, may);
  return {
    linkToRecord: link,
    auditActions: () => choicesAmong(texts, AUDIT_ACTIONS, 'auditAction'),
    linkToFound: (found: Parameters<typeof linkToFound>[0]) => linkToFound(found, may),
    listAdvice,
    listEvidence: (evidence: unknown) => listEvidence(evidence, { texts, timeZone, linkToRecord: link }),
    listHistory: (happened: Happened) =>
      listHistory({
        ...happened,
        nameOf: (type) => texts.t(`eventType.${type}`),
        translate: (said) => translate(said, texts),
      }),
    /** What a tariff charges, in sentences. */
    sayTariff: (tariff: unknown, currency: string) =>
      describeTariff(tariff as Tariff, currency).map(({ category, said }) => ({ category, ...translate(said, texts) })),
    firstCalls,
    overallHealth,
    sumUpHealth,
    guides: GUIDES,
    tasksByRole: TASKS_BY_ROLE,
    taskAt,
    getTask: (name: unknown) => getTask(name, texts.language),
    getGuide,
    isLesson,
    fillInLesson: fillIn,
    showMeaning: (text: string) => showText(text, () => null),
    drawStates: (of: Drawn[0], rows: Drawn[1], id: string) => drawStates(of, rows, id, (message) => texts.t(message)),
  };
}
