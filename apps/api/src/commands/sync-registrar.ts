import {
  type Command,
  CommandError,
  print,
  requireConfiguration,
  toPrintable,
  withDatabase,
} from './command.ts'

export const syncRegistrarCommand: Command = {
  name: 'sync registrar',
  usage: `  sync registrar [--confirm-removals]        syncs own domains and mailboxes with the registrar now; the option
                                             confirms the removal of more than half of them`,
  options: { 'confirm-removals': { type: 'boolean' } },
  async run({ values: { 'confirm-removals': isRemovalConfirmed = false } }) {
    const { openConfiguredRegistrar, syncRegistrar } = await import('@kustos/domain/limitis')
    const registrar = openConfiguredRegistrar(requireConfiguration())
    if (registrar === null)
      throw new CommandError('No registrar is configured: set LIMITIS_API_URL and LIMITIS_API_TOKEN.')
    try {
      await withDatabase(async (_, context) => {
        const { notes, ...lists } = await syncRegistrar(context, registrar, {
          isRemovalConfirmed: isRemovalConfirmed === true,
        })
        for (const [name, { entries, added, changed, removed }] of Object.entries(lists))
          print(
            `${name}: ${entries} at the registrar, ${added} added, ${changed} changed, ${removed} removed.`,
          )
        for (const note of notes) print(toPrintable(note, 300))
      })
    } finally {
      await registrar.close()
    }
  },
}
