// `prisma generate` needs no engine binary, yet looks for one and would download it; any path that exists satisfies it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default { schema: 'prisma/schema', migrations: { path: 'prisma/migrations' } };
