import { defineEnum } from '../../graphql/enums.ts';
import type { Scope } from '../../platform/access/needs.ts';

export const ScopeEnum = defineEnum<Scope>(
  'Scope',
  'Permission of a key, of tokens of an agency, or of a role of staff.',
  {
    'citizens.read': 'Find and read citizens.',
    'citizens.write': 'Register citizens, by hand or from the identity authority.',
    'catalogue.read': 'Read the status of integrations.',
    'assessments.read': 'Read assessments and payments, and follow shifts as a supervisor.',
    'assessments.write': 'Create, assess and read assessments.',
    'assessments.cancel': 'Cancel assessments, and reverse what was paid of them.',
    'assessments.import': 'Make assessments from a file. For agencies alone, and some staff.',
    'payments.read': 'Read payment intents, their history and payment events. Part of `payments.initiate`.',
    'payments.initiate': 'Create, initiate and read payments.',
    'payments.split': 'Split a payment other than by the lines of its assessment. Given by operators alone.',
    'payments.refund': 'Request refunds of payments. Given by operators alone.',
    'refunds.request': 'Request refunds of what was paid to the agency. For agencies alone.',
    'references.issue':
      'Issue payment references for assessments that are wholly their own. For agencies alone; part of `payments.initiate`.',
    'books.write':
      'Send bank statements of the agency, and say of their lines what they are. For agencies alone, and some staff.',
    'oversight.read': 'Read oversight data. Given by operators alone.',
    'webhooks.manage': 'Manage webhook endpoints. For agencies alone; accounts need no scope for it.',
    'events.read': 'Fetch events. For agencies alone; accounts need no scope for it.',
    'oversight.audit': 'With `oversight.read`, read oversight data by integrator. Given by operators alone.',
  },
);
