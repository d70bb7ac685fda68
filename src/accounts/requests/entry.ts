import type { Stored } from '../../platform/database/record.ts';

/** A request in the audit log. */
export type LogEntry = Omit<Stored<'AuditEntry'>, 'id' | 'integrator' | 'actor'> & {
  /** Its time and the number that it has among those of the same time. */
  readonly name: string;
};
