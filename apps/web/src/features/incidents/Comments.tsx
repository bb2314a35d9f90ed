import { formatTime } from '@kustos/contract/grid'
import { incidentsRoutes, newIncidentComment } from '@kustos/contract/incidents'
import { Skeleton, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import logStyles from '../../entities/audit-log/logs.module.css'
import { useRoute, write } from '../../platform/query.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { staleRoutes } from './stale-routes.ts'

const { addIncidentComment, listIncidentComments } = incidentsRoutes
const emptyForm = { text: '' }

/** Also of an incident that has ended. Those on an outage are shown on its webs' incidents, too. */
export function Comments({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const params = { id }
  const query = useRoute(listIncidentComments, { params })
  return (
    <Section title={t('incidents.comments.title')}>
      <QueryState query={query} skeleton={<Skeleton h={80} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('incidents.comments.none')}</Text>
          ) : (
            <ol className={logStyles.entries}>
              {data.map((comment) => (
                <li key={comment.id} className={logStyles.entry}>
                  <div className={logStyles.head}>
                    <time dateTime={comment.created_at} className={logStyles.time}>
                      {formatTime(comment.created_at)}
                    </time>
                    <span className={logStyles.causer}>{comment.created_by?.email ?? '–'}</span>
                    {comment.incident_id !== id && (
                      <span className={logStyles.causer}>{t('incidents.comments.onOutage')}</span>
                    )}
                  </div>
                  <Text className={styles.text} translate="no">
                    {comment.text}
                  </Text>
                </li>
              ))}
            </ol>
          )
        }
      </QueryState>
      <ContractForm
        schema={newIncidentComment}
        source={emptyForm}
        toValues={(values) => values}
        toBody={({ text }) => ({ text })}
        send={(body, signal) =>
          write(addIncidentComment, { params, body }, [listIncidentComments, ...staleRoutes], signal)
        }
        onSaved={() => {}}
        afterSave={() => emptyForm}
        submitLabel={t('incidents.comments.add')}
      >
        {({ field }) => (
          <Textarea
            {...field('text', { label: t('incidents.comments.label') })}
            autosize
            minRows={2}
            maxRows={12}
          />
        )}
      </ContractForm>
    </Section>
  )
}
