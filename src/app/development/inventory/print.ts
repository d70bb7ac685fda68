import { writeFileSync } from 'node:fs';
import { makePage } from './page.ts';

writeFileSync(new URL('../../../../docs/security/data-inventory.md', import.meta.url), makePage());
