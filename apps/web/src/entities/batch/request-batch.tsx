import { type BatchAction, batchesRoutes, defaultWave, type WebEdits } from '@kustos/contract/batches'
import type { CheckEdits } from '@kustos/contract/checks'
import type { Web } from '@kustos/contract/webs'
import { List } from '@mantine/core'
import i18next from 'i18next'
import type { NavigateFunction } from 'react-router-dom'
import { call } from '../../platform/client.ts'
import { errorText } from '../../platform/message-text.ts'
import { write } from '../../platform/query.ts'
import { signedInUser } from '../../platform/session.ts'
import { notifyDone } from '../../ui/notify.tsx'
import type { useAlert } from '../../ui/use-alert.tsx'
import type { useConfirm } from '../../ui/use-confirm.tsx'
import { useCheckEditTexts } from '../check/use-check-edit-texts.ts'
import { batchLink } from './batch-link.ts'
import { SkippedWebs, textsOfSkipped } from './SkippedWebs.tsx'
import { useEditTexts } from './use-edit-texts.ts'
import { WaveSettings } from './WaveSettings.tsx'
import { recallWave, rememberWave, type Wave } from './wave.ts'

const { previewBatch, createBatch, listBatches } = batchesRoutes

export interface BatchWish {
  readonly action: BatchAction
  readonly webs: readonly Pick<Web, 'id'>[]
  readonly edits?: WebEdits
  readonly check?: CheckEdits
  /** Of the button that confirms. */
  readonly label: string
  readonly question: (count: number) => string
  readonly danger: boolean
}

interface Tools {
  readonly confirm: ReturnType<typeof useConfirm>
  readonly alert: ReturnType<typeof useAlert>
  readonly navigate: NavigateFunction
}

/**
 * Asks the server what an action would do to many webs, asks the user, and requests it as a batch.
 * @returns whether it was requested
 */
export async function requestBatch(
  { action, webs, edits, check, label, question, danger }: BatchWish,
  { confirm, alert, navigate }: Tools,
): Promise<boolean> {
  const { t } = i18next
  const body = { action, webs: webs.map(({ id }) => id), ...(edits && { edits }), ...(check && { check }) }
  const user = signedInUser()?.id
  let wave = user === undefined ? defaultWave : recallWave(user)
  const setWave = (chosen: Wave) => {
    wave = chosen
  }
  const titleOf = (count: number) => `${label} · ${t('actions.webs', { count })}`
  try {
    const preview = await call(previewBatch, { body })
    const { eligible: count } = preview
    if (count === 0) {
      void alert({ title: titleOf(webs.length), texts: textsOfSkipped(preview) })
      return false
    }
    const isAgreed = await confirm({
      title: titleOf(count),
      text: question(count),
      more: (
        <>
          {edits && <Edits edits={edits} />}
          {check && <CheckTexts check={check} />}
          <SkippedWebs preview={preview} />
          {count > 1 && <WaveSettings initial={wave} onChange={setWave} />}
        </>
      ),
      yes: label,
      danger,
    })
    if (!isAgreed) return false
    const { id } = await write(createBatch, { body: { ...body, ...wave } }, [listBatches])
    if (count > 1 && user !== undefined) rememberWave(user, wave)
    notifyDone(
      t('batches.request.title', { id }),
      t('batches.request.requested', { count }),
      batchLink(id, navigate),
    )
    return true
  } catch (error) {
    void alert({ title: titleOf(webs.length), texts: [errorText(error)] })
    return false
  }
}

const Edits = ({ edits }: { readonly edits: WebEdits }) => <Lines texts={useEditTexts(edits)} />
const CheckTexts = ({ check }: { readonly check: CheckEdits }) => <Lines texts={useCheckEditTexts(check)} />

const Lines = ({ texts }: { readonly texts: readonly string[] }) => (
  <List size="sm" style={{ overflowWrap: 'anywhere' }}>
    {texts.map((text) => (
      <List.Item key={text}>{text}</List.Item>
    ))}
  </List>
)
