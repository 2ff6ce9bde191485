use openapi::apis::{configuration::Configuration, runs_api};
use openapi::models::{CreateRun, NodeCompletedFrame, RunCompletedFrame};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let org = std::env::var("ORG")?;
    let mut configuration = Configuration::new();
    configuration.base_path = std::env::var("API")?;
    configuration.bearer_access_token = Some(std::env::var("KEY")?);
    let body: CreateRun = serde_json::from_str(&std::env::args().nth(1).ok_or("no body")?)?;
    let run = runs_api::start_run(&configuration, &org, body, None, None).await?;
    // `listen_to_run` reads no event streams: the configuration's own client does.
    let url = format!("{}/workflows/listen/{}", configuration.base_path, run.run_id);
    let token = configuration.bearer_access_token.clone().unwrap_or_default();
    let stream = configuration.client.get(url).bearer_auth(token).header("X-Organization-ID", &org).send().await?;
    for line in stream.text().await?.lines() {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        // The enum of all events takes `type` away before it reads the event, which requires it.
        let event: serde_json::Value = serde_json::from_str(data)?;
        match event["type"].as_str() {
            Some("node_completed") => println!("{}", serde_json::from_value::<NodeCompletedFrame>(event)?.node_id),
            Some("run_completed") => println!("{:?}", serde_json::from_value::<RunCompletedFrame>(event)?.status),
            _ => {}
        }
    }
    Ok(())
}
