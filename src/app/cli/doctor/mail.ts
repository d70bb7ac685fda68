import type { Config } from '../../../platform/config/config.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

/** Connects and signs in; no letter is sent. */
export function mailCheck({ smtpUrl, mode }: Config): Check {
  return {
    name: 'mail',
    run: async () => {
      if (smtpUrl === null)
        return mode === 'live'
          ? warning('mail is only written to files, and nobody gets it', 'Set SMTP_URL')
          : ok('written to files');
      const { verifySmtp } = await import('../../../adapters/mail/smtp.ts');
      try {
        await verifySmtp(smtpUrl);
        return ok('the server takes the connection and the sign-in');
      } catch (error) {
        return failed(reasonOf(error), 'Check SMTP_URL, and that the server is reached from here');
      }
    },
  };
}
