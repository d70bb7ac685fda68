import './accounts-schema.ts';
import './agencies-schema.ts';
import './history-schema.ts';
import './load-schema.ts';
import './services-schema.ts';
