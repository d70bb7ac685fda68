import { writeBaseline } from './documents.ts';

// With a release: what its callers see is what later versions are compared with.
writeBaseline();
