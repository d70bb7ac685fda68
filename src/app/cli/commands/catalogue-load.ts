import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { loadProfile, readProfile, readShippedProfiles } from '../../../collection/catalogue/load.ts';
import { Docnames } from '../../../platform/database/docnames.ts';
import { runWithRail } from '../with-rail.ts';

export const catalogueLoadCommand = new Command('catalogue:load')
  .description('Bring agencies and services in line with a country profile, or with those that come with the rail.')
  .option('--file <path>', 'a country profile; its form is that of prisma/catalogue/*.json')
  .action(async ({ file }: { file?: string }) => {
    const profiles = file ? [readProfile(readFileSync(file, 'utf8'))] : readShippedProfiles();
    await runWithRail(async ({ transaction, now }) => {
      for (const profile of profiles) {
        await transaction((db) => loadProfile(db, new Docnames(db), profile, now()));
        const services = profile.agencies.reduce((sum, agency) => sum + agency.services.length, 0);
        process.stdout.write(`${profile.name}: ${profile.agencies.length} agencies, ${services} services\n`);
      }
    });
  });
