import type { Stored } from '../../platform/database/record.ts';

/** What the audit log says of a request. */
export type LogEntry = Omit<Stored<'AuditEntry'>, 'id' | 'integrator' | 'actor'> & {
  /** Its time and the number that it has among those of the same time. */
  readonly name: string;
};
