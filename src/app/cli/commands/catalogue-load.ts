import { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadProfile, readProfile, readShippedProfiles } from '../../../collection/catalogue/load.ts';
import { commandLine } from '../../../platform/access/viewer.ts';
import { callOf } from '../../../platform/call/call.ts';
import { Docnames } from '../../../platform/database/docnames.ts';
import { runWithRail } from '../with-rail.ts';

export const catalogueLoadCommand = new Command('catalogue:load')
  .description('Bring agencies and services in line with a country profile, or with those that come with the rail.')
  .option('--file <path>', 'a country profile; its form is that of prisma/catalogue/*.json')
  .action(async ({ file }: { file?: string }) => {
    const profiles = file ? [readProfile(readFileSync(file, 'utf8'))] : readShippedProfiles();
    await runWithRail(async (rail) => {
      const call = callOf(rail, commandLine, randomUUID());
      for (const profile of profiles) {
        await rail.transaction((db) => loadProfile({ ...call, db, docnames: new Docnames(db) }, profile));
        const services = profile.agencies.reduce((sum, agency) => sum + agency.services.length, 0);
        process.stdout.write(`${profile.name}: ${profile.agencies.length} agencies, ${services} services\n`);
      }
    });
  });
