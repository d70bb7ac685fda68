import { lookAtEveryPage } from './look-at-pages.ts';

lookAtEveryPage('light');
