-- Once: the table of the events that the setting `export` writes. Put in the name of your bucket.
CREATE EXTERNAL TABLE gene_panel_events (
  `id` string, `source` string, `type` string, `subject` string, `time` string, `data` string
)
PARTITIONED BY (`dt` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
WITH SERDEPROPERTIES ('case.insensitive' = 'false')
LOCATION 's3://<ExportBucket>/events/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.dt.type' = 'date',
  'projection.dt.range' = '2026-01-01,NOW',
  'projection.dt.format' = 'yyyy-MM-dd',
  'storage.location.template' = 's3://<ExportBucket>/events/dt=${dt}/'
);

-- The genes that turned green in the last quarter of 2026.
SELECT DISTINCT time, id,
       json_extract_scalar(data, '$.catalogue') AS catalogue,
       json_extract_scalar(data, '$.panel.name') AS panel,
       json_extract_scalar(data, '$.panel.version') AS version,
       json_extract_scalar(data, '$.entity.name') AS gene,
       json_extract_scalar(data, '$.change.from') AS rating_before
FROM gene_panel_events
WHERE dt >= '2026-10-01'
  AND type = 'gene-panel.entity.classified.v1'
  AND time >= '2026-10-01' AND time < '2027-01-01'
  AND json_extract_scalar(data, '$.change.to') = 'green'
  AND json_extract_scalar(data, '$.change.direction') IN ('upgraded', 'new')
ORDER BY panel, time;
