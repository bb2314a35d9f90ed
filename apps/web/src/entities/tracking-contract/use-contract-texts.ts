import { trackingTopics } from '@kustos/contract/tracking'
import {
  anyTagId,
  type ContractField,
  type ContractSettings,
  isTagTopic,
  tagNames,
} from '@kustos/contract/tracking-contracts/states'
import { useTranslation } from 'react-i18next'
import { displayHost } from '../tracking/display-host.ts'

/** Functions that name fields and values of contracts. */
export function useContractTexts() {
  const { t } = useTranslation()

  const fieldName = (field: ContractField): string =>
    isTagTopic(field) ? tagNames[field] : t(`trackingContract.fields.${field}`)

  /** A topic of audits or a host. */
  function subjectName(subject: string): string {
    const topic = trackingTopics.find((each) => each === subject)
    return topic === undefined ? displayHost(subject) : t(`tracking.topics.${topic}`)
  }

  function valueText(field: ContractField, value: ContractSettings[ContractField]): string {
    if (value === null) return t('trackingContract.values.notChecked')
    if (typeof value === 'string')
      return value || t(`trackingContract.values.${field === 'consent_tool' ? 'none' : 'any'}`)
    if (value.length === 0) return t('trackingContract.values.none')
    return value
      .map((one) => (one === anyTagId ? t('trackingContract.values.anyId') : subjectName(one)))
      .join(', ')
  }

  return { fieldName, subjectName, valueText }
}
