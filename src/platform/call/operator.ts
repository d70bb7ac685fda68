import { randomUUID } from 'node:crypto';
import { actAsSystem, commandLine } from '../access/viewer.ts';
import { type Call, type Rail, callOf } from './call.ts';

/** Call of an operator at the machine, whom nobody has to approve, under the name that they gave there. */
export function callByOperator(rail: Rail): Call {
  const { operator } = rail.config;
  const viewer = operator === null ? commandLine : actAsSystem(`${commandLine.actor} (${operator})`);
  return callOf(rail, viewer, randomUUID());
}
