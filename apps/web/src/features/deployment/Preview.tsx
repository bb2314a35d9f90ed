import { deploymentRoutes } from '@kustos/contract/deployment'
import { Card } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { FormSection, FullWidthField } from '../../ui/contract-form/FormSection.tsx'
import styles from './deployment.module.css'

interface Props {
  /** The source repository; empty until one is selected. A fork goes to its node. */
  readonly source: string
  readonly repository: string | null
  /** Omitted if only the server knows it. */
  readonly fqdn?: string | null
}

export function Preview({ source, repository, fqdn }: Props) {
  const { t } = useTranslation()
  const { data: options } = useRoute(
    deploymentRoutes.readRequestOptions,
    source === '' ? {} : { query: { source } },
    { placeholderData: keepPreviousData },
  )
  const missing = t('deployment.request.preview.missing')
  const node = options?.node === null ? t('deployment.request.preview.noNode') : options?.node
  const facts = [
    { key: 'repository', value: repository },
    ...(fqdn === undefined ? [] : [{ key: 'fqdn', value: fqdn } as const]),
    { key: 'node', value: node },
  ] as const
  return (
    <FormSection title={t('deployment.request.sections.preview')}>
      <FullWidthField>
        <Card p="sm">
          <dl className={styles.preview}>
            {facts.map(({ key, value }) => (
              <div key={key}>
                <dt>{t(`deployment.request.preview.${key}`)}</dt>
                <dd className={styles.mono}>{value ?? missing}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </FullWidthField>
    </FormSection>
  )
}
