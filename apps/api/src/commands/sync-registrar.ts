import { type Command, configured, Refusal, say, shown, withDatabase } from './command.ts'

export const syncWithRegistrar: Command = {
  name: 'sync registrar',
  usage: `  sync registrar [--confirm-removals]        reads own domains and mailboxes from the registrar now; the option
                                             confirms that more than half of them, or all, are gone there`,
  options: { 'confirm-removals': { type: 'boolean' } },
  async run({ values: { 'confirm-removals': isRemovalConfirmed = false } }) {
    const { openConfiguredRegistrar, syncRegistrar } = await import('@kustos/domain/limitis')
    const registrar = openConfiguredRegistrar(configured())
    if (registrar === null)
      throw new Refusal('LIMITIS_API_URL and LIMITIS_API_TOKEN are missing: there is no registrar to ask.')
    try {
      await withDatabase(async (_, context) => {
        const { notes, ...lists } = await syncRegistrar(context, registrar, {
          isRemovalConfirmed: isRemovalConfirmed === true,
        })
        for (const [name, { entries, added, changed, removed }] of Object.entries(lists))
          say(`${name}: ${entries} at the registrar, ${added} added, ${changed} changed, ${removed} removed.`)
        for (const note of notes) say(shown(note, 300))
      })
    } finally {
      await registrar.close()
    }
  },
}
