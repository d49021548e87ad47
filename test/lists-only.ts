import { vi } from 'vitest';

/** Every catalogue of the sandbox serves its lists alone, unless a test says otherwise: 404 to panels, versions and sign-offs. */
vi.mock('../sandbox/catalogue/start.ts', async (original) => {
  const { startCatalogue, ...others } = await original<typeof import('../sandbox/catalogue/start.ts')>();
  const listsAlone: typeof startCatalogue = (options) => startCatalogue({ details: 'none', ...options });
  return { ...others, startCatalogue: listsAlone };
});
