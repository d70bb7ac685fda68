import { writeFileSync } from 'node:fs';
import { printWholeSchema } from '../../graphql/printed.ts';
import { schema } from '../schema.ts';

if (import.meta.main) writeFileSync(new URL('../../../schema.graphql', import.meta.url), printWholeSchema(schema));
