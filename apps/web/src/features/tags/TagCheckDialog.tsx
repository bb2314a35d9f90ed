import type { Tag } from '@kustos/contract/tags'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import CheckDialog from '../../entities/check/CheckDialog.tsx'
import { useCheck } from '../../entities/check/subjects.ts'
import { notifyFailed } from '../../ui/notify.tsx'

interface Props {
  readonly tag: Tag
  readonly onClose: () => void
}

/** Edits how the webs with a tag are checked, once that is loaded. */
export function TagCheckDialog({ tag: { id, name }, onClose }: Props) {
  const { t } = useTranslation()
  const subject = { tag: id }
  const { data, error } = useCheck(subject)
  useEffect(() => {
    if (error === null) return
    notifyFailed(t('checks.edit'), error)
    onClose()
  }, [error, onClose, t])
  return data === undefined ? null : (
    <CheckDialog subject={subject} name={name} check={data} onClose={onClose} />
  )
}
